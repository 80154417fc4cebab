/** The tokens as a canvas takes them: it supports neither variables nor `light-dark()`. */
export interface PlotLook {
  readonly line: string;
  readonly fill: string;
  readonly grid: string;
  readonly text: string;
  /** As a canvas font. */
  readonly font: string;
}

/** Reads the look of the current colour scheme from an element in the page. */
export const readPlotLook = (place: HTMLElement): PlotLook => {
  const probe = document.createElement('span');
  place.append(probe);
  const colour = (value: string) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const { fontFamily, fontSize } = getComputedStyle(place);
  const look = {
    line: colour('var(--tone-busy)'),
    fill: colour('color-mix(in srgb, var(--tone-busy) 14%, transparent)'),
    grid: colour('var(--line)'),
    text: colour('var(--text-quiet)'),
    font: `${fontSize} ${fontFamily}`,
  };
  probe.remove();
  return look;
};

/** Calls back at each change of the colour scheme, whatever caused it. */
export const onSchemeChange = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
  return () => observer.disconnect();
};
