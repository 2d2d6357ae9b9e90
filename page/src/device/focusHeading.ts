/** Focus the heading of the next screen. Screens are loaded on demand, so this may take some frames. */
const MAX_FRAMES = 120;

export async function focusHeading(): Promise<void> {
  const before = document.querySelector("main h1");
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    await new Promise(requestAnimationFrame);
    const heading = document.querySelector<HTMLElement>("main h1");
    if (!heading || (heading === before && frame < 2)) continue;
    if (document.activeElement && document.activeElement !== document.body) return; // the user has focused something already
    heading.tabIndex = -1;
    return heading.focus({ preventScroll: true });
  }
}
