import { product } from '#contracts/product.ts';
import { lightColour } from './design-tokens.ts';

/** A tower in a square of the accent colour, as in the panel. */
const towerPath = 'M8 9h4v3h2V9h4v3h2V9h4v7l-2 2v6h-4v-3a2 2 0 0 0-4 0v3h-4v-6l-2-2z';

/** The product's logo and name. */
export const Mark = () => (
  <>
    <svg className="mark" width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d={towerPath} />
    </svg>
    {product.name}
  </>
);

export const markSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>${product.name}</title><rect width="32" height="32" rx="7" fill="${lightColour('--accent')}"/><path fill="#fff" d="${towerPath}"/></svg>`;
