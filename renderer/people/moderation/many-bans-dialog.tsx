import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { bansHttp } from '#contracts/people/bans.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone, notifyLeft } from '../../kit/design/notify.ts';
import { offerUndo } from '../../kit/design/offer-undo.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { runEach } from '../../kit/work/run-each.ts';
import { type Ended, useEach } from '../../kit/work/use-each.ts';
import { type BanTarget, isDone, type KeptBan, planBans } from '../../servers/many-players.ts';
import { moderationWords } from '../../servers/moderation.words.ts';
import { listNames, tellLeft } from '../../servers/tell-left.tsx';
import { useServerNames } from '../../servers/use-server-names.ts';
import classes from './ban-dialog.module.css';
import { BanTermsFields, useBanTerms } from './ban-terms.tsx';
import { bansWords } from './bans.words.ts';
import { ManyResults } from './many-results.tsx';
import { isNewBan, liftBan } from './say-banned.ts';
import { rereadBans } from './unban.tsx';

interface NewBan {
  readonly id: string;
  readonly name: string;
}

/** The bans that are new, and not only changed. */
const newBansIn = (ended: readonly Ended<{ readonly target: BanTarget }, KeptBan>[]): readonly NewBan[] =>
  ended.flatMap(({ item, result }) =>
    'ban' in result && isNewBan(result.ban, result.askedMs)
      ? [{ id: result.ban.id, name: item.target.name }]
      : [],
  );

/** @returns the names of those whose bans could not be lifted */
const liftAll = async (bans: readonly NewBan[]): Promise<readonly string[]> => {
  const kept: string[] = [];
  await runEach<NewBan, null>({
    items: bans,
    run: async ({ id }) => {
      await liftBan(id);
      return null;
    },
    onResult: ({ name }, result) => {
      if (result !== null && result !== 'running') kept.push(name);
    },
  });
  return kept;
};

/** Bans several players, each on servers of their own game. */
export const ManyBansDialog = (props: {
  readonly targets: readonly BanTarget[];
  /** Called when it is done for all of them and the dialog is still open. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}) => {
  const { targets: offered, onDone, onClose } = props;
  const words = useWords(bansWords);
  const { many } = useWords(moderationWords);
  const general = useWords(designWords);
  const format = useFormat();
  const can = useCan();
  const mayAll = can('players.write');
  const [targets] = useState(offered);
  const [isEverywhere, setIsEverywhere] = useState(mayAll);
  const [marked, setMarked] = useState<readonly string[]>([]);
  const terms = useBanTerms();
  const wanted = new Set(targets.map(({ game }) => game));
  const servers = useServerNames().servers.filter(
    ({ id, game }) => wanted.has(game) && can('players.write', id),
  );
  const chosen = servers.filter(({ id }) => marked.includes(id));
  const { bans, leftOut } = planBans(targets, isEverywhere ? null : chosen);
  const items = bans.map((ban) => ({ ...ban, key: ban.target.id }));

  const { results, isRunning, begin } = useEach({
    async run({ target, servers: where }: (typeof items)[number]) {
      const askedMs = serverNowMs();
      const body = {
        servers: where === 'all' ? where : [...where],
        game: target.game,
        reason: terms.reason,
        until: terms.until(),
      };
      return { ban: await sendChange(bansHttp.give, { params: { id: target.id }, body }), askedMs };
    },
    stale: rereadBans,
    onEnd(ended, isGone) {
      const done = ended.filter(({ result }) => isDone(result)).length;
      const made = newBansIn(ended);
      if (made.length > 0)
        offerUndo({
          id: `banned-many-${made[0]?.id}`,
          done: words.bannedMany(done),
          undone: words.bansTakenBack(made.length),
          async undo() {
            const kept = await liftAll(made);
            if (kept.length === 0) return true;
            const names = listNames(kept, { words: many, format });
            notifyLeft(`kept-${made[0]?.id}`, words.notTakenBack(kept.length, made.length), names);
            return false;
          },
          stale: rereadBans,
        });
      else if (done === ended.length) notifyDone(many.left(done, ended.length));
      if (isGone && done < ended.length)
        tellLeft({
          ended: ended.map(({ item, result }) => ({ name: item.target.name, result })),
          words: many,
          format,
        });
      if (isGone || done < ended.length) return;
      onDone();
      onClose();
    },
  });
  const isOver = results !== null && !isRunning;
  return (
    <FormDialog
      title={many.title.ban(targets.length)}
      size="lg"
      act={isOver ? null : words.ban}
      leave={results === null ? general.cancel : general.close}
      isActing={isRunning}
      isReady={items.length > 0 && terms.isReady}
      isDestructive
      onSubmit={() => void begin(items)}
      onClose={onClose}
    >
      <Text>{many.text.ban}</Text>
      {results === null && (
        <>
          <Radio.Group
            label={words.whereTo}
            value={isEverywhere ? 'all' : 'some'}
            onChange={(value) => setIsEverywhere(value === 'all')}
          >
            <Stack gap="xs" mt="xs">
              {mayAll && <Radio value="all" label={many.allServers} description={words.allServersText} />}
              <Radio value="some" label={words.someServers} />
            </Stack>
          </Radio.Group>
          {!isEverywhere && (
            <Checkbox.Group
              label={words.choose}
              value={chosen.map(({ id }) => id)}
              onChange={setMarked}
              {...(chosen.length === 0 && { description: words.chooseText })}
            >
              <div className={classes.servers}>
                {servers.map(({ id, name, game }) => (
                  <Checkbox
                    key={id}
                    value={id}
                    label={<bdi>{name}</bdi>}
                    {...(wanted.size > 1 && { description: games[game].name })}
                  />
                ))}
              </div>
            </Checkbox.Group>
          )}
          {chosen.length > 0 && leftOut.length > 0 && (
            <Text size="sm" role="status">
              {many.leftOut(leftOut.length)}
            </Text>
          )}
          <BanTermsFields {...terms.fields} />
        </>
      )}
      <ManyResults
        rows={(results === null ? targets : items.map(({ target }) => target)).map(({ id, name, game }) => ({
          key: id,
          name,
          where: games[game].name,
        }))}
        results={results}
      />
      {isRunning && (
        <Text size="sm" c="dimmed">
          {many.mayLeave}
        </Text>
      )}
    </FormDialog>
  );
};
