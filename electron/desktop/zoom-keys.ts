const step = 0.5;
/** In Electron's zoom levels, each a fifth larger: from about 58 % to 207 %. */
const range = { least: -3, most: 4 };

/** The zoom level that a key asks for; null when it asks for something else. */
export const zoomAsked = (
  {
    type,
    key,
    control,
    meta,
    alt,
  }: {
    readonly type: string;
    readonly key: string;
    readonly control: boolean;
    readonly meta: boolean;
    readonly alt: boolean;
  },
  level: number,
): number | null => {
  if (type !== 'keyDown' || !(control || meta) || alt) return null;
  if (key === '0') return 0;
  if (key === '+' || key === '=') return Math.min(range.most, level + step);
  return key === '-' || key === '_' ? Math.max(range.least, level - step) : null;
};
