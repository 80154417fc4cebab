import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { consoleHttp } from '#contracts/console.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { type playerActions, playersHttp } from '#contracts/players.ts';
import { designWords } from '../../../design/design.words.ts';
import { Trouble } from '../../../design/trouble.tsx';
import { useWords } from '../../../language/use-words.ts';
import { useChange } from '../../../wire/queries.ts';
import { OrderReport } from './order-report.tsx';
import { playersWords } from './players.words.ts';

export type PlayerAction = (typeof playerActions)[number];

export interface OrderDialogProps {
  readonly server: GameServer;
  readonly playerId: string;
  readonly name: string;
  readonly action: PlayerAction;
  readonly onClose: () => void;
}

const longestText = 300;

/** Asks once, says what will happen, and then what the game made of it. */
export const OrderDialog = ({ server, playerId, name, action, onClose }: OrderDialogProps) => {
  const words = useWords(playersWords);
  const general = useWords(designWords);
  const [text, setText] = useState('');
  const order = useChange(playersHttp.order, [consoleHttp.history]);
  const field = action === 'kick' || action === 'ban' || action === 'message' ? words.fields[action] : null;
  const isDone = order.data?.verdict === 'done';
  return (
    <Modal opened onClose={onClose} title={<bdi>{words.titles[action](name)}</bdi>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          order.mutate({ params: { id: playerId }, body: { serverId: server.id, action, text } });
        }}
      >
        <Stack>
          <Text>{words.texts[action]}</Text>
          {field !== null && !isDone && (
            <TextInput
              label={field}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              required={action === 'message'}
              maxLength={longestText}
              autoComplete="off"
              data-autofocus
            />
          )}
          <div role="status">{order.data && <OrderReport report={order.data} />}</div>
          {order.error && <Trouble error={order.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {isDone ? general.close : general.cancel}
            </Button>
            {!isDone && (
              <Button
                type="submit"
                color={action === 'kick' || action === 'ban' ? 'red.8' : 'castle'}
                loading={order.isPending}
              >
                {action === 'message' ? words.send : words.actions[action]}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
