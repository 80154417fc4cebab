/** The tokens as a canvas takes them: it knows neither variables nor `light-dark()`. */
export interface PlotLook {
  readonly line: string;
  readonly fill: string;
  readonly grid: string;
  readonly text: string;
  /** As a canvas font. */
  readonly font: string;
}

/** Reads the look of the colour scheme of now off an element that lies in the page. */
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

/** Hears of each change of the colour scheme, by whatever it came. */
export const onSchemeChange = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
  return () => observer.disconnect();
};
