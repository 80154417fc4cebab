import type { ComponentName, StackStatus } from '#contracts/stack.ts';

/** What the desktop lends to its own pages, as `window.castellan`; browsers have none of it. */
export interface DesktopBridge {
  stackStatus(): Promise<StackStatus>;
  /** Without a name: the whole stack. */
  restart(component?: ComponentName): Promise<StackStatus>;
}

declare global {
  interface Window {
    readonly castellan?: DesktopBridge;
  }
}

/** Null in a browser: what needs the desktop is then not shown. */
export const desktopBridge = (): DesktopBridge | null => window.castellan ?? null;
