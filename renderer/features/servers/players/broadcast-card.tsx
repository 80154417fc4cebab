import { Button, Group, TextInput } from '@mantine/core';
import { consoleHttp } from '#contracts/console.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { playersHttp } from '#contracts/players.ts';
import { Card } from '../../../design/card.tsx';
import { Trouble } from '../../../design/trouble.tsx';
import { useWords } from '../../../language/use-words.ts';
import { ActionReport } from '../../../moderation/action-report.tsx';
import { useChange } from '../../../wire/queries.ts';
import { presentDraft, setDraft, useDraft } from '../console/drafts.ts';
import { playersWords } from './players.words.ts';

const longestText = 300;

export const BroadcastCard = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(playersWords).broadcast;
  const place = `broadcast:${server.id}`;
  const text = useDraft(place);
  const broadcast = useChange(playersHttp.broadcast, [consoleHttp.history]);
  const send = () =>
    broadcast.mutate(
      { params: { id: server.id }, body: { text } },
      {
        onSuccess: ({ verdict }) => verdict === 'done' && presentDraft(place) === text && setDraft(place, ''),
      },
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
            onChange={({ currentTarget }) => setDraft(place, currentTarget.value)}
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
      <div role="status">{broadcast.data && <ActionReport report={broadcast.data} />}</div>
      {broadcast.error && <Trouble error={broadcast.error} />}
    </Card>
  );
};
