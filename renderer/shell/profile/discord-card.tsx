import { Button, Code, Group, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { ownDiscordHttp } from '#contracts/discord/discord-rights.ts';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { profileWords } from './profile.words.ts';

type Linked = EndpointResponse<typeof ownDiscordHttp.read>['linked'];

/** While a code is shown, it may be typed in Discord at any moment. */
const everyMs = 2000;

/** The person's own Discord account: linked by a code that is typed there, or not at all. */
export const DiscordCard = () => {
  const { discord: words } = useWords(profileWords);
  const ask = useChange(ownDiscordHttp.code, []);
  const [isWaiting, setIsWaiting] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const read = useRead(ownDiscordHttp.read, {}, isWaiting ? { everyMs } : {});
  const discordId = read.data?.linked?.discordId ?? null;
  const [before, setBefore] = useState<string | null>(null);
  const isNew = isWaiting && discordId !== null && discordId !== before;
  useEffect(() => {
    if (!isNew) return;
    setIsWaiting(false);
    notifyDone(words.linkedNow);
  }, [isNew, words]);
  const begin = () => {
    setBefore(discordId);
    setIsOver(false);
    ask.mutate({}, { onSuccess: () => setIsWaiting(true) });
  };
  const end = useCallback(() => {
    setIsWaiting(false);
    setIsOver(true);
  }, []);

  return (
    <Card title={words.title}>
      <AsyncContent read={read}>
        {({ linked }) => (
          <>
            {linked ? <LinkedAccount linked={linked} /> : <Text c="dimmed">{words.text}</Text>}
            {isWaiting && ask.data && <ShownCode key={ask.data.code} {...ask.data} onOver={end} />}
            {isOver && !linked && (
              <Text role="status" c="var(--tone-bad)">
                {words.over}
              </Text>
            )}
            {ask.error && <Trouble error={ask.error} />}
            {!linked && (
              <div>
                <Button variant="default" loading={ask.isPending} onClick={begin}>
                  {isWaiting ? words.another : words.show}
                </Button>
              </div>
            )}
          </>
        )}
      </AsyncContent>
    </Card>
  );
};

const ShownCode = (
  props: EndpointResponse<typeof ownDiscordHttp.code> & {
    readonly onOver: () => void;
  },
) => {
  const { code, expiresAt, onOver } = props;
  const { discord: words } = useWords(profileWords);
  useEffect(() => {
    const timer = setTimeout(onOver, Math.max(0, Date.parse(expiresAt) - serverNowMs()));
    return () => clearTimeout(timer);
  }, [expiresAt, onOver]);
  return (
    <div role="status">
      <Text>{words.type}</Text>
      <Group gap="xs">
        <Code fz="md">{`/link code:${code}`}</Code>
        <CopyButton value={code} label={words.copy} />
      </Group>
      <Text size="sm" c="dimmed">
        {words.until} <TimeAgo at={expiresAt} />
      </Text>
    </div>
  );
};

const LinkedAccount = ({ linked }: { readonly linked: NonNullable<Linked> }) => {
  const { discord: words } = useWords(profileWords);
  const [isAsking, setIsAsking] = useState(false);
  const unlink = useChange(ownDiscordHttp.unlink, [ownDiscordHttp.read]);
  return (
    <>
      <StateLabel tone="ok">{words.linked(linked.discordName)}</StateLabel>
      <Text c="dimmed">
        {words.linkedText} <TimeAgo at={linked.linkedAt} />
      </Text>
      <div>
        <Button variant="default" onClick={() => setIsAsking(true)}>
          {words.unlink}
        </Button>
      </div>
      {isAsking && (
        <ConfirmAction
          title={words.unlinkQuestion(linked.discordName)}
          act={words.unlink}
          onAction={() => unlink.mutateAsync({})}
          doneText={words.unlinked}
          onClose={() => setIsAsking(false)}
        >
          {words.unlinkText}
        </ConfirmAction>
      )}
    </>
  );
};
