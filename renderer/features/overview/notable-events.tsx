import { Stack, Text } from '@mantine/core';
import { eventWords } from '#contracts/event-words.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { Card } from '../../design/card.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { eventSentence } from '../../event-words/event-sentence.ts';
import { useLanguage, useWords } from '../../language/use-words.ts';
import { notableEventsWords } from './notable-events.words.ts';
import classes from './overview.module.css';
import { useNotableEvents } from './use-notable-events.ts';

const shownEvents = 8;

/** The newest warnings and alerts, as they come. */
export const NotableEvents = ({ serverName }: { readonly serverName: (id: string) => string | null }) => {
  const words = useWords(notableEventsWords);
  const language = useLanguage();
  const events = useNotableEvents(['warning', 'alert']);
  return (
    <Card
      title={words.title}
      actions={
        <PanelLink to="/events?severity=warning,alert" size="sm">
          {words.all}
        </PanelLink>
      }
    >
      <AsyncContent read={events}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Stack gap={4}>
              <StateLabel tone="ok">{words.none}</StateLabel>
              <Text size="sm" c="dimmed">
                {words.noneText}
              </Text>
            </Stack>
          ) : (
            <ul className={classes.rows}>
              {rows.slice(0, shownEvents).map((row) => (
                <li key={row.id} className={classes.event}>
                  <StateLabel tone={row.severity === 'alert' ? 'bad' : 'warn'}>
                    <span className={classes.severity}>{eventWords[language].severities[row.severity]}</span>
                  </StateLabel>
                  <bdi className={classes.sentence}>
                    {eventSentence(row, language, row.serverId && serverName(row.serverId))}
                  </bdi>
                  <Text size="xs" c="dimmed" component="span">
                    <TimeAgo at={row.at} />
                  </Text>
                </li>
              ))}
            </ul>
          )
        }
      </AsyncContent>
    </Card>
  );
};
