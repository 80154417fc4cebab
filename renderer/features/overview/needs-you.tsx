import { Text } from '@mantine/core';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { useWords } from '../../language/use-words.ts';
import { useDeskCount } from '../../shell/use-desk-count.ts';
import { useLiveState } from '../../wire/live.ts';
import classes from './overview.module.css';
import { overviewWords } from './overview.words.ts';

/** Everything that waits for a person. */
export const NeedsYou = () => {
  const words = useWords(overviewWords);
  const can = useCan();
  const desk = useDeskCount();
  const isLive = useLiveState() === 'live';
  if (!can('orders.read')) return null;
  return (
    <Card title={words.needsYou}>
      {desk === null || !isLive ? (
        <Text c="dimmed">{words.notKnownNow}</Text>
      ) : desk === 0 ? (
        <Text c="dimmed">{words.nothingWaits}</Text>
      ) : (
        <ul className={classes.rows}>
          <li className={classes.need}>
            <span>{words.deskWaits(desk)}</span>
            <PanelLink to="/desk" size="sm">
              {words.decide}
            </PanelLink>
            <Text size="xs" c="dimmed" component="span">
              {words.deskText}
            </Text>
          </li>
        </ul>
      )}
    </Card>
  );
};
