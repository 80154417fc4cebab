import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type MemberDetails, membersHttp } from '#contracts/people/members.ts';
import { type Delivery, deliveriesHttp } from '#contracts/store/deliveries.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useLivePlayers } from '../../servers/use-live-players.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { deliveriesWords } from './deliveries.words.ts';

type WaitingDelivery = Pick<Delivery, 'game' | 'memberId' | 'serverId'>;

/** Sets a player's survivor number on one ARK server, for the delivery that waits for it. */
export const SurvivorNumber = ({ delivery }: { readonly delivery: WaitingDelivery }) => {
  const { survivor: words } = useWords(deliveriesWords);
  const [isOpen, setIsOpen] = useState(false);
  const member = useRead(membersHttp.read, { params: { id: delivery.memberId } }, { enabled: isOpen });
  return (
    <>
      <Group>
        <Button variant="default" onClick={() => setIsOpen(true)}>
          {words.open}
        </Button>
      </Group>
      {isOpen && (
        <AsyncContent read={member}>
          {({ players }) => (
            <NumberForm
              delivery={delivery}
              players={players.filter(({ game }) => game === delivery.game)}
              onClose={() => setIsOpen(false)}
            />
          )}
        </AsyncContent>
      )}
    </>
  );
};

const NumberForm = (props: {
  readonly delivery: WaitingDelivery;
  readonly players: MemberDetails['players'];
  readonly onClose: () => void;
}) => {
  const { delivery, players, onClose } = props;
  const { survivor: words } = useWords(deliveriesWords);
  const { servers } = useServerNames();
  const { places } = useLivePlayers();
  const ofGame = servers.filter(({ game }) => game === delivery.game);
  const isHere = ({ id }: { readonly id: string }) => places.has(id);
  const [wantedPlayer, setWantedPlayer] = useState<string | null>(null);
  const [wantedServer, setWantedServer] = useState<string | null>(null);
  const [number, setNumber] = useState('');
  // The delivery goes to the player of the member who is on a server now.
  const playerId = wantedPlayer ?? (players.find(isHere) ?? players[0])?.id ?? null;
  const serverId =
    wantedServer ??
    (playerId === null ? undefined : places.get(playerId)?.[0]?.serverId) ??
    delivery.serverId ??
    (ofGame.length === 1 ? ofGame[0]?.id : undefined) ??
    null;
  const save = useChange(deliveriesHttp.setSurvivorNumber, [deliveriesHttp.read, deliveriesHttp.list]);
  return (
    <FormDialog
      title={words.title}
      act={words.save}
      isActing={save.isPending}
      isReady={playerId !== null && serverId !== null && number !== ''}
      error={save.error}
      onSubmit={() => {
        if (playerId === null || serverId === null) return;
        save.mutate(
          { params: { id: playerId }, body: { serverId, number } },
          {
            onSuccess: () => {
              notifyDone(words.saved);
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    >
      <Text>{words.text}</Text>
      {players.length === 0 && <Text>{words.noPlayer}</Text>}
      {players.length > 1 && (
        <Select
          label={words.player}
          data={players.map(({ id, name, platformId }) => ({
            value: id,
            label: platformId === null ? name : `${name} (${platformId})`,
          }))}
          value={playerId}
          onChange={setWantedPlayer}
          allowDeselect={false}
        />
      )}
      <Select
        label={words.server}
        data={ofGame.map(({ id, name }) => ({ value: id, label: name }))}
        value={serverId}
        onChange={setWantedServer}
        allowDeselect={false}
        required
      />
      <TextInput
        label={words.number}
        description={words.numberHelp}
        value={number}
        onChange={({ currentTarget }) =>
          setNumber(currentTarget.value.replaceAll(/\D/g, '').replace(/^0+/, ''))
        }
        inputMode="numeric"
        autoComplete="off"
        maxLength={19}
        required
        data-autofocus
      />
    </FormDialog>
  );
};
