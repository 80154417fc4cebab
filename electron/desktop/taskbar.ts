import { join } from 'node:path';
import { type BrowserWindow, nativeImage } from 'electron';
import type { OverlayBadge, TaskbarProgress } from './taskbar-view.ts';

interface TaskbarView {
  readonly progress: TaskbarProgress;
  readonly overlay: OverlayBadge | null;
  /** Read out in place of the overlay. */
  readonly described: string;
}

/** Shows it on the window's taskbar button on Windows; on Linux where the desktop supports progress there. */
export const showInTaskbar = (window: BrowserWindow, iconsFolder: string, view: TaskbarView): void => {
  const { progress, overlay, described } = view;
  if (progress === 'unknown') window.setProgressBar(2, { mode: 'indeterminate' });
  else window.setProgressBar(progress ?? -1);
  if (process.platform !== 'win32') return;
  const icon = overlay && nativeImage.createFromPath(join(iconsFolder, `overlay-${overlay}.png`));
  window.setOverlayIcon(icon, overlay === null ? '' : described);
};

interface Taskbar {
  show(view: TaskbarView): void;
  /** A window that was hidden, or is a new one, has a new button. */
  renew(): void;
}

export const createTaskbar = (iconsFolder: string, window: () => BrowserWindow | null): Taskbar => {
  let shown: TaskbarView = { progress: null, overlay: null, described: '' };
  const renew = () => {
    const there = window();
    if (there) showInTaskbar(there, iconsFolder, shown);
  };
  return {
    show(view) {
      if (JSON.stringify(view) === JSON.stringify(shown)) return;
      shown = view;
      renew();
    },
    renew,
  };
};
