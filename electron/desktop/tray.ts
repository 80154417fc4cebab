import { join } from 'node:path';
import { Menu, type MenuItem, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { TrayAction, TrayView } from './tray-view.ts';

export interface DesktopTray extends Disposable {
  show(view: TrayView): void;
}

/** @param iconsFolder holds `tray-<look>.png` for each look, and twice as large `tray-<look>@2x.png` */
export const openTray = (iconsFolder: string, onAct: (act: TrayAction) => void): DesktopTray => {
  const icon = (look: string) => nativeImage.createFromPath(join(iconsFolder, `tray-${look}.png`));
  const tray = new Tray(icon('stopped'));
  tray.on('click', () => onAct({ act: 'open' }));
  let shown = '';
  return {
    show(view) {
      const essence = JSON.stringify(view);
      // Setting a menu anew would close one that is open.
      if (essence === shown) return;
      shown = essence;
      tray.setImage(icon(view.look));
      tray.setToolTip(view.tooltip);
      const items = view.menu.flatMap((group, index): MenuItemConstructorOptions[] => [
        ...(index > 0 ? [{ type: 'separator' as const }] : []),
        ...group.map(({ label, does, isEnabled, isOn }) => ({
          label,
          enabled: isEnabled,
          ...(isOn !== null && { type: 'checkbox' as const, checked: isOn }),
          click(clicked: MenuItem) {
            // It has ticked itself; what is shown is what has come of it.
            if (isOn !== null) clicked.checked = isOn;
            onAct(does);
          },
        })),
      ]);
      tray.setContextMenu(Menu.buildFromTemplate(items));
    },
    [Symbol.dispose]: () => tray.destroy(),
  };
};
