"""Drawing: sheets and tables as text and as SVG. The content comes from the view and the variant; no rules here."""
