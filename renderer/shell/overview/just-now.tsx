import { Text, VisuallyHidden } from '@mantine/core';
import { type EventKindName, eventKindNames } from '#contracts/kernel/event-kinds.ts';
import type { EventRow } from '#contracts/operations/event-row.ts';
import { eventWords } from '#contracts/operations/event-words.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { ToneSign } from '../../kit/design/state-label.tsx';
import { useHeld } from '../../kit/design/use-held.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { eventSentence } from '../../operations/event-sentence.ts';
import { justNowWords } from './just-now.words.ts';
import classes from './overview.module.css';
import { useNewestEvents } from './use-newest-events.ts';

const shownEvents = 8;
const dayMs = 86_400_000;
/** Chat would leave no room for anything else. */
const wanted = { kind: eventKindNames.filter((name): name is EventKindName => name !== 'chat.message') };

const Rows = ({
  rows,
  serverName,
}: {
  readonly rows: readonly EventRow[];
  readonly serverName: (id: string) => string | null;
}) => {
  const language = useLanguage();
  const format = useFormat();
  const [shown, holdsStill] = useHeld(rows);
  const when = (at: string) => (serverNowMs() - Date.parse(at) < dayMs ? format.minute(at) : format.day(at));
  const sentenceOf = (row: EventRow) =>
    eventSentence(row, language, row.serverId && serverName(row.serverId));
  return (
    <ul className={classes.rows} {...holdsStill}>
      {shown.slice(0, shownEvents).map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a new event changes what the lines say, and moves none of them
        <li key={index} className={classes.event}>
          <time className={classes.time} dateTime={row.at} title={format.exact(row.at)}>
            {when(row.at)}
          </time>
          <span className={classes.sentence}>
            {(row.severity === 'warning' || row.severity === 'alert') && (
              <>
                <ToneSign tone={row.severity === 'alert' ? 'bad' : 'warn'} />{' '}
                <VisuallyHidden>{eventWords[language].severities[row.severity]}:</VisuallyHidden>{' '}
              </>
            )}
            <bdi title={sentenceOf(row)}>{sentenceOf(row)}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
};

/** The newest events, live. */
export const JustNow = ({ serverName }: { readonly serverName: (id: string) => string | null }) => {
  const words = useWords(justNowWords);
  const events = useNewestEvents(wanted);
  return (
    <Card
      title={words.title}
      actions={
        <PanelLink to="/events" size="sm">
          {words.all}
        </PanelLink>
      }
    >
      <AsyncContent read={events}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{words.none}</Text>
          ) : (
            <Rows rows={rows} serverName={serverName} />
          )
        }
      </AsyncContent>
    </Card>
  );
};
