import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge } from '#contracts/desktop/desktop.ts';
import { desktopChannels, liveOriginArgument } from '#contracts/desktop/desktop-channels.ts';

// The only code between a page and the desktop: the desktop checks everything that it lets through.
const bridge: DesktopBridge = {
  liveOrigin:
    process.argv
      .find((argument) => argument.startsWith(liveOriginArgument))
      ?.slice(liveOriginArgument.length) ?? '',
  isWindows: process.platform === 'win32',
  call: (name, input) => ipcRenderer.invoke(desktopChannels.call, name, input),
  on(name, listener) {
    const hear = (_event: unknown, told: string, event: Parameters<typeof listener>[0]) => {
      if (told === name) listener(event);
    };
    ipcRenderer.on(desktopChannels.event, hear);
    return () => ipcRenderer.off(desktopChannels.event, hear);
  },
};
contextBridge.exposeInMainWorld('castellan', bridge);
