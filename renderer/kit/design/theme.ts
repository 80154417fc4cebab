import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  mergeThemeOverrides,
} from '@mantine/core';

/** Indigo: shade 7 carries white text in light colours, shade 4 dark text in dark ones; both as `--accent` in tokens.css. */
const castle: MantineColorsTuple = [
  '#eef0fd',
  '#dde1fb',
  '#bcc5fa',
  '#a5b3ff',
  '#8ea0ff',
  '#6f82f3',
  '#5566e6',
  '#3f51d8',
  '#3443b5',
  '#28348c',
];

/** The slate scale: the neutral surfaces, lines and texts of both colour schemes. */
const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f5',
  '#e1e4ea',
  '#d5d9e0',
  '#cbd0d8',
  '#a7afbb',
  '#7b8494',
  '#5b6472',
  '#343b47',
  '#161a22',
];
const dark: MantineColorsTuple = [
  '#e8ebf0',
  '#c5cad3',
  '#a2abb9',
  '#7d8696',
  '#3a4250',
  '#2a313c',
  '#1d222b',
  '#151920',
  '#0e1116',
  '#0a0c10',
];

/** A list that tracks its field would widen a dialog on a phone, and flicker between two positions. */
const overDialogs = {
  comboboxProps: { floatingStrategy: 'fixed' },
  // The list itself scrolls: the arrow keys of its field move within it, and a scroll area around it would be one that no key reaches.
  withScrollArea: false,
  styles: { options: { maxHeight: '13.75rem', overflowY: 'auto' } },
} as const;

const theme = createTheme({
  colors: { castle, gray, dark },
  primaryColor: 'castle',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  // Mantine chooses the text colour of a filled button by the light shade alone, and so also puts white on the light
  // accent of dark colours.
  variantColorResolver(input) {
    const colors = defaultVariantColorsResolver(input);
    const isPrimary = input.variant === 'filled' && input.color === 'castle';
    return isPrimary ? { ...colors, color: 'var(--mantine-primary-color-contrast)' } : colors;
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.5' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.4' },
      h2: { fontSize: '0.875rem', lineHeight: '1.45' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  components: {
    // Without motion, Mantine leaves out the transform that centers it.
    Button: { styles: { loader: { transform: 'translate(-50%, -50%)' } } },
    // By name: dialogs are loaded with the page that has one.
    Modal: { defaultProps: { centered: true } },
    // Its placeholder would be a child that a menu must not have; the focus goes to the first item instead.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    ModalTitle: { defaultProps: { fw: 600, fz: 'lg' } },
    // A dialog is no section, so its header would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    Select: { defaultProps: overDialogs },
    MultiSelect: { defaultProps: overDialogs },
    Autocomplete: { defaultProps: overDialogs },
    Notification: { styles: { description: { color: 'var(--text-quiet)' } } },
    Tooltip: { defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } } },
  },
});

/**
 * The one place for sizes and colours; anything it does not set is Mantine's default.
 * @param close the label of the button that closes a dialog
 */
export const themeWith = (close: string) =>
  mergeThemeOverrides(theme, {
    components: { ModalCloseButton: { defaultProps: { 'aria-label': close } } },
  });
