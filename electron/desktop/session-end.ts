import { BaseWindow } from 'electron';

/**
 * Tells when Windows ends the session of the user, by signing out or shutting down. It tells windows alone, none of the
 * ways to quit is taken, and the program is ended soon after `onEnd` returns.
 */
export const onSessionEnd = (onEnd: () => void): Disposable => {
  if (process.platform !== 'win32') return { [Symbol.dispose]: () => undefined };
  // While the desktop keeps to the tray, it may have no other window.
  const ear = new BaseWindow({ show: false, skipTaskbar: true });
  ear.on('session-end', onEnd);
  return { [Symbol.dispose]: () => ear.destroy() };
};
