import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { ModSet } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useChange, useRead } from '../kit/api/queries.ts';
import { AddButton } from '../kit/design/add-button.tsx';
import { AsyncContent } from '../kit/design/async-content.tsx';
import { Card } from '../kit/design/card.tsx';
import { ConfirmAction } from '../kit/design/confirm-action.tsx';
import { EmptyState } from '../kit/design/empty-state.tsx';
import { PanelLink } from '../kit/design/panel-link.tsx';
import { TimeAgo } from '../kit/design/time-ago.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { goTo } from '../kit/routing/use-hash-location.ts';
import { modPartsWords } from './mod-parts/mod-parts.words.ts';
import classes from './mod-parts/mod-rows.module.css';
import { modsPageWords } from './mods-page.words.ts';

const everyMs = 15_000;

/** Sets of mods that can be put on several servers. */
export const SetsCard = ({ onApply }: { readonly onApply: (set: ModSet) => void }) => {
  const words = useWords(modsPageWords);
  const parts = useWords(modPartsWords);
  const mayAct = useCan().somewhere('mods.write');
  const read = useRead(modsHttp.sets, {}, { everyMs });
  const remove = useChange(modsHttp.deleteSet, [modsHttp.sets]);
  const [going, setGoing] = useState<ModSet | null>(null);
  const create = mayAct && (
    <AddButton size="xs" variant="default" onClick={() => goTo('/mods/sets/new')}>
      {words.newSet}
    </AddButton>
  );
  return (
    <Card title={words.sets} actions={read.data && read.data.rows.length > 0 && create}>
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title={words.noSets} text={words.noSetsText} action={create} example="items" />
          ) : (
            <>
              <Text size="sm" c="dimmed">
                {words.setsText}
              </Text>
              <ul className={classes.list} aria-label={words.sets}>
                {rows.map((set) => (
                  <li key={set.id} className={classes.row}>
                    <div className={classes.what}>
                      <PanelLink to={`/mods/sets/${set.id}`} fw={600}>
                        <bdi>{set.name}</bdi>
                      </PanelLink>
                      <div className={classes.quiet}>
                        <span>{games[set.game].name}</span>
                        <span>{parts.count(set.items.length)}</span>
                        <span>
                          {parts.updatedAt} <TimeAgo at={set.changedAt} />
                        </span>
                        <bdi>{words.changedBy(set.changedByName)}</bdi>
                      </div>
                    </div>
                    {mayAct && (
                      <div className={classes.acts}>
                        <Button
                          size="xs"
                          variant="default"
                          aria-label={words.applyOf(set.name)}
                          onClick={() => onApply(set)}
                        >
                          {words.apply} …
                        </Button>
                        <Button
                          size="xs"
                          variant="subtle"
                          color="gray"
                          aria-label={words.removeOf(set.name)}
                          onClick={() => setGoing(set)}
                        >
                          {words.remove} …
                        </Button>
                      </div>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </AsyncContent>
      {going && (
        <ConfirmAction
          title={words.removeTitle(going.name)}
          act={words.remove}
          onAction={() => remove.mutateAsync({ params: { id: going.id } })}
          doneText={words.deleted(going.name)}
          onClose={() => setGoing(null)}
        >
          {words.removeText}
        </ConfirmAction>
      )}
    </Card>
  );
};
