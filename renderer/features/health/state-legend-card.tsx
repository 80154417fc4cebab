import { Card } from '../../design/card.tsx';
import { Facts } from '../../design/facts.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { useWords } from '../../language/use-words.ts';
import { stackHealthWords } from '../../stack-health/stack-health.words.ts';
import { partTones } from '../../stack-health/stack-parts.ts';
import { healthWords } from './health.words.ts';

const signs = [
  ['ok', 'ok'],
  ['degraded', 'degraded'],
  ['down', 'down'],
  ['unused', 'idle'],
] as const;

/** The meaning of each state, in one sentence. */
export const StateLegendCard = () => {
  const words = useWords(healthWords);
  const names = useWords(stackHealthWords);
  return (
    <Card title={words.meanings}>
      <Facts
        facts={signs.map(([state, sign]) => ({
          label: <StateLabel tone={partTones[state]}>{names.states[state]}</StateLabel>,
          value: words.signs[sign],
        }))}
      />
    </Card>
  );
};
