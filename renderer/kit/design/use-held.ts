import { useState } from 'react';

/** Handlers that keep an element from moving while it is hovered or has the focus. */
interface HoldsStill {
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: () => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

/**
 * A value that changes by itself, held while the reader points at the element that shows it.
 * @returns the value to show, and the handlers for that element
 */
export const useHeld = <Value>(value: Value): readonly [Value, HoldsStill] => {
  const [held, setHeld] = useState<{ readonly value: Value } | null>(null);
  const hold = () => setHeld((before) => before ?? { value });
  const release = () => setHeld(null);
  return [
    held ? held.value : value,
    { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release },
  ];
};
