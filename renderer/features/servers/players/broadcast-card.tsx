import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { consoleHttp } from '#contracts/console.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { playersHttp } from '#contracts/players.ts';
import { Card } from '../../../design/card.tsx';
import { Trouble } from '../../../design/trouble.tsx';
import { useWords } from '../../../language/use-words.ts';
import { useChange } from '../../../wire/queries.ts';
import { OrderReport } from './order-report.tsx';
import { playersWords } from './players.words.ts';

const longestText = 300;

export const BroadcastCard = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(playersWords).broadcast;
  const [text, setText] = useState('');
  const broadcast = useChange(playersHttp.broadcast, [consoleHttp.history]);
  const send = () =>
    broadcast.mutate(
      { params: { id: server.id }, body: { text } },
      { onSuccess: ({ verdict }) => verdict === 'done' && setText((now) => (now === text ? '' : now)) },
    );
  return (
    <Card title={words.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!broadcast.isPending) send();
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            miw="min(16rem, 100%)"
            label={words.label}
            placeholder={words.placeholder}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            required
            withAsterisk={false}
            maxLength={longestText}
            autoComplete="off"
          />
          <Button type="submit" loading={broadcast.isPending}>
            {words.send}
          </Button>
        </Group>
      </form>
      <div role="status">{broadcast.data && <OrderReport report={broadcast.data} />}</div>
      {broadcast.error && <Trouble error={broadcast.error} />}
    </Card>
  );
};
