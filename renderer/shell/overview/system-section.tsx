import { VisuallyHidden } from '@mantine/core';
import type { StackHealth } from '#contracts/operations/health.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { ToneSign } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { LastKnown } from '../../operations/last-known.tsx';
import { stackHealthWords } from '../../operations/stack-health/stack-health.words.ts';
import {
  type PartName,
  partTones,
  type StackPart,
  stackParts,
} from '../../operations/stack-health/stack-parts.ts';
import type { ShownHealth } from '../../operations/stack-health/use-stack-health.ts';
import { overviewWords } from './overview.words.ts';
import classes from './system-section.module.css';
import { useMetricHistory } from './use-metric-history.ts';

/** The additional facts about a component that works. */
const useFacts = ({ version }: StackHealth): Readonly<Partial<Record<PartName, string>>> => {
  const format = useFormat();
  const newest = useMetricHistory('hour').read.data?.points.at(-1);
  const { databaseMs = null, queueDepth = null } = newest ?? {};
  return {
    api: version,
    ...(databaseMs !== null && { database: format.milliseconds(databaseMs) }),
    ...(queueDepth !== null && { queues: format.number(queueDepth) }),
  };
};

interface PartProps {
  readonly part: StackPart;
  readonly fact: string | undefined;
  readonly isLastKnown: boolean;
}

const Part = ({ part: { name, state }, fact, isLastKnown }: PartProps) => {
  const words = useWords(stackHealthWords);
  const isSilent = isLastKnown && name === 'api';
  const tone = isSilent ? 'bad' : isLastKnown ? 'idle' : partTones[state];
  const isWell = tone === 'ok';
  const says = isSilent ? words.noAnswer : words.states[state];
  return (
    <li className={classes.part} data-part={name} data-tone={tone}>
      <ToneSign tone={tone} />
      <span>{words.parts[name]}</span>
      {isWell && fact !== undefined && <span>{fact}</span>}
      {isWell ? <VisuallyHidden>{says}</VisuallyHidden> : <span>{says}</span>}
    </li>
  );
};

const Parts = ({ health, isLastKnown }: { readonly health: StackHealth; readonly isLastKnown: boolean }) => {
  const facts = useFacts(health);
  return (
    <ul className={classes.parts}>
      {stackParts(health).map((part) => (
        <Part key={part.name} part={part} fact={facts[part.name]} isLastKnown={isLastKnown} />
      ))}
    </ul>
  );
};

/** The components of the stack in a row of icons; the verdict says what is wrong with one. */
export const SystemSection = ({ health: { read, lastKnownAt } }: { readonly health: ShownHealth }) => {
  const words = useWords(overviewWords);
  return (
    <Card
      title={words.system}
      actions={
        <>
          {lastKnownAt && <LastKnown at={lastKnownAt} />}
          <PanelLink to="/health" size="sm">
            {words.health}
          </PanelLink>
        </>
      }
    >
      <AsyncContent read={read}>
        {(health) => <Parts health={health} isLastKnown={lastKnownAt !== null} />}
      </AsyncContent>
    </Card>
  );
};
