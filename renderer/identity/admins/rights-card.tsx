import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Admin } from '#contracts/identity/admins.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { askAccess, useCan } from '../../kit/access/access-state.ts';
import { isConflict } from '../../kit/api/api-problem.ts';
import { useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConflictNotice } from '../../kit/design/conflict-notice.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useRoleName } from '../access/use-role-name.ts';
import { adminsWords } from './admins.words.ts';
import {
  afterSave,
  type Collision,
  changeOf,
  collisionsOf,
  emptyDraft,
  grantChanges,
  grantsWith,
  isEmptyDraft,
  type RightsDraft,
  withoutCollisions,
} from './rights-draft.ts';
import { RightsFields } from './rights-fields.tsx';
import { useAdminChange } from './use-admin-change.ts';

/** Another admin's changes to this admin, next to the values typed here. */
const RightsConflict = ({
  collisions,
  ...choice
}: {
  readonly collisions: readonly Collision[];
  readonly isSaving: boolean;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}) => {
  const words = useWords(adminsWords);
  const nameOf = useRoleName();
  const enabled = useCan().somewhere('servers.read');
  const roles = useRead(rolesHttp.list, {}).data?.rows ?? [];
  const servers =
    useRead(gameServersHttp.list, { query: { archived: 'true' } }, { enabled }).data?.rows ?? [];

  const labelOf = (collision: Collision): string => {
    if (collision.field !== 'grant') return words[collision.field];
    return servers.find(({ id }) => id === collision.serverId)?.name ?? words.goneServer;
  };
  const textOf = (field: Collision['field'], value: string | null): string => {
    if (field === 'name') return value ?? '';
    if (value === null) return field === 'role' ? words.noRole : words.noGrant;
    const role = roles.find(({ id }) => id === value);
    return role ? nameOf(role) : words.unknownRole;
  };

  return (
    <ConflictNotice title={words.conflict.title} {...choice}>
      <Text>{words.conflict.text}</Text>
      <Facts
        facts={collisions.map((collision) => ({
          label: <bdi>{labelOf(collision)}</bdi>,
          value: (
            <>
              {words.conflict.theirs}: <bdi>{textOf(collision.field, collision.theirs)}</bdi>
              <br />
              {words.conflict.yours}: <bdi>{textOf(collision.field, collision.mine)}</bdi>
            </>
          ),
        }))}
      />
    </ConflictNotice>
  );
};

export interface AdminCardProps {
  readonly admin: Admin;
  readonly isOwn: boolean;
  readonly mayChange: boolean;
}

/** Sends only what was changed here: changes by another admin stay, or are shown if both changed the same field. */
export const RightsCard = ({ admin, isOwn, mayChange }: AdminCardProps) => {
  const words = useWords(adminsWords);
  const nameInput = useRef<HTMLInputElement>(null);
  /** `base`: the version that the draft started from. */
  const [{ base, draft }, setEdit] = useState({ base: admin, draft: emptyDraft });
  const { send } = useAdminChange();
  const newest = admin.version > base.version ? admin : base;
  const { save, error, isSaving, clear } = useVersionedForm({
    version: newest.version,
    newest,
    async send() {
      setEdit({ base: newest, draft });
      const saved = await send(newest.id, changeOf(draft, newest));
      setEdit((present) => ({ base: saved, draft: afterSave(present.draft, draft) }));
      notifyDone(words.saved(saved.name));
      if (isOwn) void askAccess();
      return saved;
    },
  });

  const collisions = isSaving ? [] : collisionsOf(draft, base, newest);
  const isUnsettled = collisions.length > 0;
  const { name = newest.name, role = newest.role } = draft;
  const serverGrants = grantsWith(newest.serverGrants, draft.grants);
  const change = (next: RightsDraft) => {
    clear();
    setEdit({ base: isUnsettled ? base : newest, draft: next });
  };
  return (
    <Card title={words.rights}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSaving && !isUnsettled) void save();
        }}
      >
        <Stack maw="36rem">
          {isOwn && mayChange && (
            <Text size="sm" c="dimmed">
              {words.ownRights}
            </Text>
          )}
          <TextInput
            ref={nameInput}
            label={words.name}
            value={name}
            onChange={({ currentTarget }) => change({ ...draft, name: currentTarget.value })}
            required
            maxLength={64}
            autoComplete="off"
            disabled={!mayChange}
          />
          <RightsFields
            value={{ role, serverGrants }}
            isReadOnly={!mayChange}
            onChange={(next) =>
              change({
                ...draft,
                ...(next.role !== role && { role: next.role }),
                grants: grantChanges(newest.serverGrants, next.serverGrants),
              })
            }
          />
          {isUnsettled && (
            <RightsConflict
              collisions={collisions}
              isSaving={isSaving}
              onKeepMine={() => void save()}
              onTakeTheirs={() => {
                change(withoutCollisions(draft, collisions));
                // The button disappears with the choice.
                nameInput.current?.focus();
              }}
            />
          )}
          {!isUnsettled && isConflict(error) && (
            <Alert color="var(--tone-warn)" variant="outline" role="alert" title={words.conflict.title}>
              {words.conflict.apart}
            </Alert>
          )}
          {error !== null && !isConflict(error) && <Trouble error={error} />}
          {mayChange && (
            <Group>
              <Button type="submit" loading={isSaving} disabled={isEmptyDraft(draft) || isUnsettled}>
                {words.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
};
