import { readDesignFile } from './design-files.ts';

/** The panel's tokens, except those that only its component library uses; by name, as in CSS. */
const tokens = new Map(
  [
    ...rootBlock(readDesignFile('renderer/kit/design/tokens.css').toString()).matchAll(
      /(--[\w-]+):\s*([^;]+);/g,
    ),
  ]
    .map(([, name = '', value = '']) => [name, value] as const)
    .filter(([name]) => !name.startsWith('--mantine-')),
);

function rootBlock(css: string): string {
  const block = /:root\s*\{([^}]*)\}/.exec(css)?.[1];
  if (block === undefined) throw new Error('the design tokens have no :root');
  return block;
}

/** The first or second half of `light-dark(a, b)`; anything else unchanged. */
const inScheme = (value: string, scheme: 'light' | 'dark'): string => {
  const [, light, dark] = /^light-dark\(([^,]+),\s*([^)]+)\)$/.exec(value) ?? [];
  return (scheme === 'light' ? light : dark) ?? value;
};

/** @throws for a token that the panel no longer has */
export const lightColour = (name: string): string => {
  const value = tokens.get(name);
  if (value === undefined) throw new Error(`there is no design token ${name}`);
  return inScheme(value, 'light');
};

const declarations = (scheme: 'light' | 'dark'): string =>
  [...tokens].map(([name, value]) => `${name}: ${inScheme(value, scheme)};`).join(' ');

/** As two lists, since browsers that are a few years old do not support `light-dark()`. */
export const tokenStyles = `
:root { color-scheme: light dark; ${declarations('light')} }
@media (prefers-color-scheme: dark) { :root { ${declarations('dark')} } }`;
