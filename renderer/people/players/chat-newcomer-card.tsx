import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { chatTrustHttp, type Newcomer } from '#contracts/storefronts/chat-trust.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { chatNewcomerWords } from './chat-newcomer.words.ts';

const newcomerEveryMs = 60_000;

/** On which servers a player who is there now is too new to spend and link by chat; nothing where they are on none. */
export const ChatNewcomerCard = ({ playerId }: { readonly playerId: string }) => {
  const words = useWords(chatNewcomerWords);
  const mayConfirm = useCan()('members.write');
  const params = { id: playerId };
  const { data } = useRead(chatTrustHttp.newcomers, { params }, { everyMs: newcomerEveryMs });
  const confirm = useChange(chatTrustHttp.confirm, [chatTrustHttp.newcomers]);
  const [asked, setAsked] = useState<Newcomer | null>(null);
  if (!data || data.rows.length === 0) return null;
  return (
    <Card title={words.title}>
      {data.rows.map((newcomer) => (
        <div key={newcomer.serverId}>
          <Text>{words.isNew(newcomer.serverName)}</Text>
          {mayConfirm && (
            <Button
              variant="default"
              size="xs"
              mt="xs"
              aria-label={words.confirmOn(newcomer.serverName)}
              onClick={() => setAsked(newcomer)}
            >
              {words.confirm}
            </Button>
          )}
        </div>
      ))}
      {asked && (
        <ConfirmAction
          title={words.question(asked.playerName, asked.serverName)}
          act={words.confirm}
          doneText={words.done(asked.playerName)}
          onAction={() => confirm.mutateAsync({ params, body: { serverId: asked.serverId } })}
          onClose={() => setAsked(null)}
        >
          {words.consequence}
        </ConfirmAction>
      )}
    </Card>
  );
};
