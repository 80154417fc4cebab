import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { bansHttp } from '#contracts/people/bans.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import classes from './ban-dialog.module.css';
import { BanTermsFields, useBanTerms } from './ban-terms.tsx';
import { bansWords } from './bans.words.ts';
import { sayBanned } from './say-banned.ts';
import { rereadBans } from './unban.tsx';

interface BanDialogProps {
  readonly player: { readonly id: string; readonly name: string };
  /** Only servers of this game are offered. */
  readonly game: GameId;
  /** The initially selected one, if not all are. */
  readonly serverId: string | null;
  readonly onClose: () => void;
}

export const BanDialog = ({ player, game, serverId, onClose }: BanDialogProps) => {
  const words = useWords(bansWords);
  const can = useCan();
  const mayAll = can('players.write');
  const servers = useServerNames().servers.filter(
    (server) => server.game === game && can('players.write', server.id),
  );
  const [isEverywhere, setIsEverywhere] = useState(mayAll);
  const [marked, setMarked] = useState<readonly string[]>(serverId === null ? [] : [serverId]);
  // A server that is not offered cannot be deselected, so it does not count.
  const chosen = marked.filter((id) => servers.some((server) => server.id === id));
  const terms = useBanTerms();
  const give = useChange(bansHttp.give, rereadBans);

  const isReady = (isEverywhere || chosen.length > 0) && terms.isReady;

  const send = () => {
    const askedMs = serverNowMs();
    give.mutate(
      {
        params: { id: player.id },
        body: {
          servers: isEverywhere ? 'all' : [...chosen],
          game,
          reason: terms.reason,
          until: terms.until(),
        },
      },
      {
        onSuccess(ban) {
          sayBanned({ ban, name: player.name, askedMs, words });
          onClose();
        },
      },
    );
  };

  return (
    <FormDialog
      title={
        <>
          {words.banTitle} <bdi>{player.name}</bdi>
        </>
      }
      act={words.ban}
      isActing={give.isPending}
      isReady={isReady}
      isDestructive
      error={give.error}
      onSubmit={send}
      onClose={onClose}
    >
      <Text>{words.banText}</Text>
      <Radio.Group
        label={words.whereTo}
        value={isEverywhere ? 'all' : 'some'}
        onChange={(value) => setIsEverywhere(value === 'all')}
      >
        <Stack gap="xs" mt="xs">
          {mayAll && (
            <Radio
              value="all"
              label={words.allServers(games[game].name)}
              description={words.allServersText}
            />
          )}
          <Radio value="some" label={words.someServers} />
        </Stack>
      </Radio.Group>
      {!isEverywhere && (
        <Checkbox.Group
          label={words.choose}
          value={[...chosen]}
          onChange={setMarked}
          {...(chosen.length === 0 && { description: words.chooseText })}
        >
          <div className={classes.servers}>
            {servers.map(({ id, name }) => (
              <Checkbox key={id} value={id} label={<bdi>{name}</bdi>} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <BanTermsFields {...terms.fields} />
    </FormDialog>
  );
};
