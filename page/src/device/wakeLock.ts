/** Keep the screen on during a game: people look at it more than they touch it. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let wanted = true;

  async function ask(): Promise<void> {
    if (!wanted || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      // The battery is low, or the browser refuses: then the screen dims as usual.
    }
  }

  const onVisibility = (): void => void ask();
  onVisibility();
  // The browser drops the lock whenever the page is hidden.
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", onVisibility);
    void lock?.release();
  };
}
