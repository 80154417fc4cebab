import { Text } from '@mantine/core';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { eventSentence } from '../../operations/event-sentence.ts';
import { EntryOutcome } from '../outcome-label.tsx';
import { plainText } from '../plain-text.ts';
import classes from './server-overview.module.css';
import { serverOverviewWords } from './server-overview.words.ts';

const shown = 6;
const everyMs = 15_000;

interface OfServer {
  readonly server: GameServer;
}

export const LastEvents = ({ server }: OfServer) => {
  const words = useWords(serverOverviewWords);
  const language = useLanguage();
  const read = useRead(eventsHttp.list, { query: { serverId: server.id, limit: shown } }, { everyMs });
  return (
    <Card
      title={words.events}
      actions={
        <PanelLink size="sm" to={`/events?server=${encodeURIComponent(server.id)}`}>
          {words.allEvents}
        </PanelLink>
      }
    >
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{words.noEvents}</Text>
          ) : (
            <ul className={classes.rows}>
              {rows.map((row) => (
                <li key={row.id} className={classes.row}>
                  <span>{eventSentence(row, language, server.name)}</span>
                  <span className={classes.quiet}>
                    <TimeAgo at={row.at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </AsyncContent>
    </Card>
  );
};

export const LastCommands = ({ server }: OfServer) => {
  const words = useWords(serverOverviewWords);
  const read = useRead(consoleHttp.history, { query: { serverId: server.id, limit: shown } });
  return (
    <Card
      title={words.commands}
      actions={
        <PanelLink size="sm" to={`/servers/${encodeURIComponent(server.id)}/console`}>
          {words.toConsole}
        </PanelLink>
      }
    >
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{words.noCommands}</Text>
          ) : (
            <ul className={classes.rows}>
              {rows.map((entry) => (
                <li key={entry.id} className={classes.row}>
                  <Text ff="monospace" size="sm" lineClamp={1}>
                    <bdi>{plainText(entry.command)}</bdi>
                  </Text>
                  <EntryOutcome entry={entry} />
                  <span className={classes.quiet}>
                    <TimeAgo at={entry.at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </AsyncContent>
    </Card>
  );
};
