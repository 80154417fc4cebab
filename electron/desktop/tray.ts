import { join } from 'node:path';
import {
  Menu,
  type MenuItem,
  type MenuItemConstructorOptions,
  nativeImage,
  nativeTheme,
  Tray,
} from 'electron';
import type { TrayAction, TrayLook, TrayView } from './tray-view.ts';

interface DesktopTray extends Disposable {
  show(view: TrayView): void;
}

/**
 * On Windows the taskbar's theme, which people choose separately; elsewhere it is unknown, and the icon has its own
 * background.
 */
const ground = (): string => {
  if (process.platform !== 'win32') return 'own';
  return nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light';
};

/** @param iconsFolder holds `tray-<look>-<ground>`, on Windows as `.ico`, which has each size that a screen may ask for */
export const openTray = (iconsFolder: string, onAct: (act: TrayAction) => void): DesktopTray => {
  const ending = process.platform === 'win32' ? 'ico' : 'png';
  const icon = (look: TrayLook) =>
    nativeImage.createFromPath(join(iconsFolder, `tray-${look}-${ground()}.${ending}`));
  let look: TrayLook = 'stopped';
  const tray = new Tray(icon(look));
  const onTheme = () => tray.setImage(icon(look));
  nativeTheme.on('updated', onTheme);
  tray.on('click', () => onAct({ act: 'open' }));
  let shown = '';
  return {
    show(view) {
      const essence = JSON.stringify(view);
      // Setting the menu again would close an open one.
      if (essence === shown) return;
      shown = essence;
      ({ look } = view);
      tray.setImage(icon(look));
      tray.setToolTip(view.tooltip);
      const items = view.menu.flatMap((group, index): MenuItemConstructorOptions[] => [
        ...(index > 0 ? [{ type: 'separator' as const }] : []),
        ...group.map(({ label, does, isEnabled, isOn }) => ({
          label,
          enabled: isEnabled,
          ...(isOn !== null && { type: 'checkbox' as const, checked: isOn }),
          click(clicked: MenuItem) {
            // Windows has toggled it itself; the box shows the actual result.
            if (isOn !== null) clicked.checked = isOn;
            onAct(does);
          },
        })),
      ]);
      tray.setContextMenu(Menu.buildFromTemplate(items));
    },
    [Symbol.dispose]() {
      nativeTheme.off('updated', onTheme);
      tray.destroy();
    },
  };
};
