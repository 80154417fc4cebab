import { Group, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useCan } from '../../access/access-state.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { useWords } from '../../language/use-words.ts';
import { LastKnown } from '../../stack-health/last-known.tsx';
import { PartTrouble } from '../../stack-health/part-trouble.tsx';
import { stackHealthWords } from '../../stack-health/stack-health.words.ts';
import {
  isTrouble,
  partComponents,
  partTones,
  type StackPart,
  stackParts,
} from '../../stack-health/stack-parts.ts';
import { useStackHealth } from '../../stack-health/use-stack-health.ts';
import classes from './overview.module.css';
import { overviewWords } from './overview.words.ts';
import { RestartPart } from './restart-part.tsx';

interface PartTileProps {
  readonly part: StackPart;
  readonly isLastKnown: boolean;
}

const PartTile = ({ part, isLastKnown }: PartTileProps) => {
  const words = useWords(stackHealthWords);
  const can = useCan();
  const { name, state } = part;
  const component = partComponents[name];
  const isSilent = isLastKnown && name === 'api';
  const tone = isSilent ? 'bad' : isLastKnown ? 'idle' : partTones[state];
  const isTroubled = !isLastKnown && isTrouble(part);
  return (
    <li className={classes.tile} data-part={name} {...(isTroubled && { 'data-trouble': tone })}>
      <div className={classes.head}>
        <Text size="sm" c="dimmed" component="span">
          {words.parts[name]}
        </Text>
        {component && can('stack.write') && <RestartPart component={component} label={words.parts[name]} />}
      </div>
      <StateLabel tone={tone}>{isSilent ? words.noAnswer : words.states[state]}</StateLabel>
      {isTroubled && <PartTrouble part={part} here="/" />}
    </li>
  );
};

/** The parts of the stack with their true states. */
export const PartsSection = () => {
  const words = useWords(overviewWords);
  const names = useWords(stackHealthWords);
  const { read, lastKnownAt } = useStackHealth();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} id={id}>
          {words.system}
        </Title>
        <Group gap="sm">
          {lastKnownAt && <LastKnown at={lastKnownAt} />}
          <PanelLink to="/health" size="sm">
            {names.open.health}
          </PanelLink>
        </Group>
      </Group>
      <AsyncContent read={read}>
        {(health) => (
          <ul className={classes.grid}>
            {stackParts(health).map((part) => (
              <PartTile key={part.name} part={part} isLastKnown={lastKnownAt !== null} />
            ))}
            <li className={classes.tile}>
              <div className={classes.head}>
                <Text size="sm" c="dimmed" component="span">
                  {words.version}
                </Text>
              </div>
              <span>{health.version}</span>
            </li>
          </ul>
        )}
      </AsyncContent>
    </section>
  );
};
