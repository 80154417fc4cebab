import { useState } from 'react';
import type { Position } from './list-position.ts';

/** A person's position in a list, kept while the panel is open: they continue there when they come back. */
export interface ListPlace {
  position: Position | null;
  offsetPx: number;
}

const places = new Map<string, ListPlace>();

export const useListPlace = (list: string): ListPlace => {
  const [place] = useState(() => places.get(list) ?? { position: null, offsetPx: 0 });
  places.set(list, place);
  return place;
};
