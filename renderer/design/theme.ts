import { createTheme, type MantineColorsTuple, mergeThemeOverrides } from '@mantine/core';

/** Castellan's blue: white text stands on shade 7 with a contrast above 7. */
const castle: MantineColorsTuple = [
  '#eef2ff',
  '#dde4fd',
  '#b9c6f7',
  '#93a6f1',
  '#738bec',
  '#5f7ae9',
  '#4563d6',
  '#2f4bb8',
  '#273f9c',
  '#1d317f',
];

/** Cool greys, so that the colours of meaning stand out. */
const dark: MantineColorsTuple = [
  '#e6e9ef',
  '#c3c9d4',
  '#a5adbb',
  '#7d8696',
  '#4a5261',
  '#363d4a',
  '#272d38',
  '#1c2129',
  '#14171c',
  '#0e1014',
];

/** A list that follows its field by itself would widen a dialog on a phone, and flicker between two places. */
const overDialogs = { comboboxProps: { floatingStrategy: 'fixed' } } as const;

const theme = createTheme({
  colors: { castle, dark },
  primaryColor: 'castle',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: "'Inter Variable', Inter, system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', 'Segoe UI Mono', 'Noto Sans Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.5' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  components: {
    // By name: a dialog is loaded with the page that has one.
    Modal: { defaultProps: { centered: true } },
    // Its placeholder would be a child that no menu may have; the focus goes to the first item instead.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // A dialog is no section, so that its header would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    Select: { defaultProps: overDialogs },
    MultiSelect: { defaultProps: overDialogs },
    Autocomplete: { defaultProps: overDialogs },
    Tooltip: { defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } } },
  },
});

/**
 * The one place for sizes and colours; what it does not name is Mantine's own.
 * @param close what the button that closes a dialog is called
 */
export const themeWith = (close: string) =>
  mergeThemeOverrides(theme, {
    components: { ModalCloseButton: { defaultProps: { 'aria-label': close } } },
  });
