import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type Session, sessionsHttp } from '#contracts/identity/sessions.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { deviceName } from './device-name.ts';
import classes from './profile.module.css';
import { profileWords } from './profile.words.ts';

/** The most recently used come first; the rest are rarely needed. */
const fewSessions = 6;

/** The person's sessions, and how to end them. */
export const SessionsCard = () => {
  const { sessions: words } = useWords(profileWords);
  const sessions = useRead(sessionsHttp.list, {}, { everyMs: pollMs.seldom });
  const end = useChange(sessionsHttp.end, [sessionsHttp.list]);
  const endOthers = useChange(sessionsHttp.endOthers, [sessionsHttp.list]);
  const [ending, setEnding] = useState<Session | 'others' | null>(null);
  const [areAllShown, setAreAllShown] = useState(false);
  const count = sessions.data?.rows.length ?? 0;
  const nameOf = ({ userAgent }: Session) => deviceName(userAgent) ?? words.unknown;
  const hasOthers = sessions.data?.rows.some(({ current }) => !current);
  return (
    <Card
      title={words.title}
      actions={
        hasOthers && (
          <Button size="xs" variant="default" onClick={() => setEnding('others')}>
            {words.endOthers}
          </Button>
        )
      }
    >
      <Text c="dimmed">{words.text}</Text>
      <AsyncContent read={sessions}>
        {({ rows }) => (
          <ul className={classes.sessions}>
            {(areAllShown ? rows : rows.slice(0, fewSessions)).map((session) => (
              <li key={session.id}>
                <div>
                  <Group gap="xs">
                    <Text fw={600} title={session.userAgent}>
                      {nameOf(session)}
                    </Text>
                    {session.current && <Badge variant="light">{words.current}</Badge>}
                  </Group>
                  <Text c="dimmed" size="sm" component="div">
                    <bdi>{session.address}</bdi> · {words.started} <TimeAgo at={session.createdAt} /> ·{' '}
                    {words.lastUsed} <TimeAgo at={session.lastUsedAt} />
                  </Text>
                </div>
                {!session.current && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={words.endThis(nameOf(session))}
                    onClick={() => setEnding(session)}
                  >
                    {words.end}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </AsyncContent>
      {count > fewSessions && !areAllShown && (
        <div>
          <Button size="xs" variant="default" onClick={() => setAreAllShown(true)}>
            {words.showAll(count)}
          </Button>
        </div>
      )}
      {ending === 'others' && (
        <ConfirmAction
          title={words.endOthers}
          act={words.endOthers}
          onAction={async () => notifyDone(words.ended((await endOthers.mutateAsync({})).ended))}
          onClose={() => setEnding(null)}
        >
          {words.endOthersText}
        </ConfirmAction>
      )}
      {ending !== null && ending !== 'others' && (
        <ConfirmAction
          title={words.endThis(nameOf(ending))}
          act={words.end}
          onAction={() => end.mutateAsync({ params: { id: ending.id } })}
          onClose={() => setEnding(null)}
        >
          {words.endText}
        </ConfirmAction>
      )}
    </Card>
  );
};
