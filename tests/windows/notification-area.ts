import type { WindowsLab } from './lab.ts';

/** Windows's notification area in the test's own tray, with a window manager. */
export interface NotificationArea extends AsyncDisposable {
  /** A hash of the first icon's picture; null while there is no icon. */
  look(): Promise<string | null>;
}

/** The side of an icon, in pixels. */
const side = 24;
const tray = ['stalonetray', '--geometry', '1x1+0+0', '--icon-size', String(side), '--window-layer', 'top'];

/** Must be opened before the program whose icon is tested. */
export const openNotificationArea = async (lab: WindowsLab): Promise<NotificationArea> => {
  await using opening = new AsyncDisposableStack();
  for (const command of [['openbox'], tray]) opening.use(lab.keepOnScreen(command));
  const owned = opening.move();
  return {
    async look() {
      const crop = ['-window', 'root', '-crop', `${side}x${side}+0+0`, '-format', '%k %#', 'info:'];
      const [colours, hash = ''] = (await lab.onScreen(['import', ...crop])).split(' ');
      // An empty place has a single color.
      return Number(colours) > 1 ? hash : null;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
