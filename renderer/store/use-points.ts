import { useMemo } from 'react';
import { useWords } from '../kit/language/use-words.ts';
import { storePartsWords } from './store-parts.words.ts';

/** "1,200 points"; a price of 0 is "Free". */
export const usePoints = () => {
  const { points, free } = useWords(storePartsWords);
  return useMemo(
    () => ({ points, price: (count: number) => (count === 0 ? free : points(count)) }),
    [points, free],
  );
};
