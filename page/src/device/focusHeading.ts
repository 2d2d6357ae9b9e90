/** Put the focus on the heading of the screen that comes: screens are fetched, so it may take a moment. */
const LONGEST = 120;

export async function focusHeading(): Promise<void> {
  const before = document.querySelector("main h1");
  for (let frame = 0; frame < LONGEST; frame++) {
    await new Promise(requestAnimationFrame);
    const heading = document.querySelector<HTMLElement>("main h1");
    if (!heading || (heading === before && frame < 2)) continue;
    if (document.activeElement && document.activeElement !== document.body) return; // somebody is at work already
    heading.tabIndex = -1;
    return heading.focus({ preventScroll: true });
  }
}
