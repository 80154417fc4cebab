import type { Order } from '#contracts/store/orders.ts';
import { StateLabel, type Tone } from '../kit/design/state-label.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { storePartsWords } from './store-parts.words.ts';

const tones = {
  open: 'busy',
  attention: 'warn',
  done: 'ok',
  partly: 'warn',
  undone: 'idle',
} as const satisfies Record<Order['progress'], Tone>;

export const OrderLabel = ({ progress }: Pick<Order, 'progress'>) => {
  const words = useWords(storePartsWords);
  return <StateLabel tone={tones[progress]}>{words.progress[progress]}</StateLabel>;
};
