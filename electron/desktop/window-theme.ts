import type { DesktopTheme } from '#contracts/desktop/desktop.ts';

/** Behind a page until it is drawn: --surface-page of renderer/kit/design/tokens.css. */
export const surfaces = { light: '#f7f8fa', dark: '#0e1116' } as const;

/** The theme in Electron's terms. */
export const themeSourceOf = (theme: DesktopTheme): 'system' | 'light' | 'dark' =>
  theme === 'auto' ? 'system' : theme;
