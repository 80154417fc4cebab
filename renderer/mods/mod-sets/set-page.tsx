import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ModSet } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { type GameId, gameIds, games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { designWords } from '../../kit/design/design.words.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { FormConflict } from '../../kit/forms/versioned-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { modPartsWords } from '../mod-parts/mod-parts.words.ts';
import classes from '../mod-parts/mod-rows.module.css';
import { ModTile } from '../mod-parts/mod-tile.tsx';
import { modsPageWords } from './mods-page.words.ts';
import { SetSearch } from './set-search.tsx';

type Item = ModSet['items'][number];
type Fields = Pick<ModSet, 'name' | 'game' | 'items'>;

/** Games whose mods can be searched for: a set contains only those. */
const setGames = gameIds.filter((game) => games[game].modSources.length > 0);
const empty: Fields = { name: '', game: 'minecraft', items: [] };

/** One set, or a new one. */
export const SetPage = ({ id }: { readonly id: string }) => {
  const words = useWords(modsPageWords);
  const read = useRead(modsHttp.sets, {});
  const isNew = id === 'new';
  const back = <PanelLink to="/mods">{words.allSets}</PanelLink>;
  return (
    <AsyncContent read={read}>
      {({ rows }) => {
        const set = rows.find((one) => one.id === id);
        if (!set && !isNew)
          return (
            <Frame title={words.setGone}>
              <EmptyState title={words.setGone} text={words.setGoneText} action={back} />
            </Frame>
          );
        return (
          <Frame title={set?.name ?? words.newSet} description={back}>
            <SetEditor
              newest={set}
              readNewest={async () => {
                await read.refetch();
              }}
            />
          </Frame>
        );
      }}
    </AsyncContent>
  );
};

/** Nothing is saved until the button is pressed; if someone else has saved first, the person chooses. */
const SetEditor = ({
  newest,
  readNewest,
}: {
  /** Undefined for a new one. */
  readonly newest: ModSet | undefined;
  readonly readNewest: () => Promise<unknown>;
}) => {
  const words = useWords(modsPageWords);
  const parts = useWords(modPartsWords);
  const general = useWords(designWords);
  const mayAct = useCan().somewhere('mods.write');
  const [begun, setBegun] = useState<ModSet | null>(newest ?? null);
  const [fields, setFields] = useState<Fields>(newest ?? empty);
  const [isSearching, setIsSearching] = useState(false);
  const create = useChange(modsHttp.createSet, [modsHttp.sets]);
  const change = useChange(modsHttp.changeSet, [modsHttp.sets]);
  const form = useVersionedForm<ModSet, ModSet>({
    version: begun?.version ?? 0,
    newest,
    readNewest,
    async send(version) {
      const draft = { name: fields.name.trim(), game: fields.game, items: [...fields.items] };
      const saved = await (begun
        ? change.mutateAsync({ params: { id: begun.id }, body: { ...draft, version } })
        : create.mutateAsync({ body: draft }));
      setBegun(saved);
      setFields(saved);
      notifyDone(words.saved(saved.name));
      if (!begun) goTo(`/mods/sets/${saved.id}`, { replace: true });
      return saved;
    },
    show(taken) {
      setBegun(taken);
      setFields(taken);
    },
  });
  const errorOf = useFieldErrors(form.error);
  const { theirs } = form;
  const type = (changes: Partial<Fields>) => {
    setFields((now) => ({ ...now, ...changes }));
    form.clear();
  };
  const draftText = ({ name, game, items }: Fields) => JSON.stringify([name, game, items]);
  const isChanged = draftText(fields) !== draftText(begun ?? empty);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (theirs === null && fields.name.trim() !== '' && !form.isSaving) void form.save();
      }}
    >
      <Stack>
        <Group align="flex-end">
          <TextInput
            label={words.name}
            value={fields.name}
            error={errorOf('name')}
            onChange={({ currentTarget }) => type({ name: currentTarget.value })}
            maxLength={200}
            required
            disabled={!mayAct}
            flex="1 1 16rem"
          />
          <NativeSelect
            label={words.game}
            value={fields.game}
            // Mods of one game do not fit another.
            onChange={({ currentTarget }) => type({ game: currentTarget.value as GameId, items: [] })}
            data={setGames.map((value) => ({ value, label: games[value].name }))}
            disabled={!mayAct || fields.items.length > 0}
            flex="1 1 12rem"
          />
        </Group>
        <Card
          title={words.items}
          actions={
            mayAct && (
              <Button size="xs" variant="default" onClick={() => setIsSearching(true)}>
                {words.addItems} …
              </Button>
            )
          }
        >
          {fields.items.length === 0 ? (
            <EmptyState title={words.noItems} text={words.noItemsText} />
          ) : (
            <ul className={classes.list} aria-label={words.items}>
              {fields.items.map((item) => (
                <ItemRow
                  key={`${item.source} ${item.project}`}
                  item={item}
                  {...(mayAct && {
                    onTakeOut: () => type({ items: fields.items.filter((one) => one !== item) }),
                  })}
                />
              ))}
            </ul>
          )}
        </Card>
        <FormConflict form={form} title={words.theirs}>
          {({ name, items }) => (
            <Facts
              facts={[
                { label: words.name, value: <bdi>{name}</bdi> },
                {
                  label: words.items,
                  value: <bdi>{items.map((item) => item.name).join(', ') || parts.nothing}</bdi>,
                },
              ]}
            />
          )}
        </FormConflict>
        {form.error !== null && <Trouble error={form.error} />}
        {mayAct && (
          <Group justify="flex-end">
            {isChanged && theirs === null && (
              <Text size="sm" c="dimmed">
                {words.unsaved}
              </Text>
            )}
            <Button
              type="submit"
              loading={form.isSaving}
              disabled={theirs !== null || fields.name.trim() === '' || !isChanged}
            >
              {general.save}
            </Button>
          </Group>
        )}
      </Stack>
      {isSearching && (
        <SetSearch
          game={fields.game}
          items={fields.items}
          onChoose={(item) =>
            type({
              items: [
                ...fields.items.filter((one) => one.source !== item.source || one.project !== item.project),
                item,
              ],
            })
          }
          onClose={() => setIsSearching(false)}
        />
      )}
    </form>
  );
};

interface ItemRowProps {
  readonly item: Item;
  readonly onTakeOut?: () => void;
}

const ItemRow = ({ item: { name, source, versionName, version }, onTakeOut }: ItemRowProps) => {
  const words = useWords(modsPageWords);
  const parts = useWords(modPartsWords);
  return (
    <li className={classes.row}>
      <ModTile name={name} />
      <div className={classes.what}>
        <Text fw={600}>
          <bdi>{name}</bdi>
        </Text>
        <div className={classes.quiet}>
          <span>{parts.sources[source]}</span>
          <bdi>{version === null ? words.newest : (versionName ?? version)}</bdi>
        </div>
      </div>
      {onTakeOut && (
        <div className={classes.acts}>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            aria-label={words.takeOutOf(name)}
            onClick={onTakeOut}
          >
            {words.takeOut}
          </Button>
        </div>
      )}
    </li>
  );
};
