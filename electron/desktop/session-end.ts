import { BaseWindow } from 'electron';

/**
 * Calls `onEnd` when Windows ends the user's session, by signing out or shutting down, and when its restart manager ends
 * only this program, for a file that it holds. Windows tells only windows, none of the ways to quit is taken, and the program
 * is ended soon after `onEnd` returns.
 */
export const onSessionEnd = (onEnd: () => void): Disposable => {
  if (process.platform !== 'win32') return { [Symbol.dispose]: () => undefined };
  // While the desktop is in the tray, it may have no other window.
  const ear = new BaseWindow({ show: false, skipTaskbar: true });
  ear.on('session-end', onEnd);
  return { [Symbol.dispose]: () => ear.destroy() };
};
