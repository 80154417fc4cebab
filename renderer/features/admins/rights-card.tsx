import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Admin, adminsHttp } from '#contracts/admins.ts';
import type { EndpointResponse } from '#contracts/http.ts';
import { askAccess } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { notifyDone } from '../../design/notify.ts';
import { Trouble } from '../../design/trouble.tsx';
import { useWords } from '../../language/use-words.ts';
import { queryClient, readKey, useChange } from '../../wire/queries.ts';
import { adminsWords } from './admins.words.ts';
import { afterSave, changeOf, emptyDraft, grantChanges, grantsWith, isEmptyDraft } from './rights-draft.ts';
import { RightsFields } from './rights-fields.tsx';

export interface AdminCardProps {
  readonly admin: Admin;
  readonly isOwn: boolean;
  readonly mayChange: boolean;
}

const key = readKey(adminsHttp.list, {});

/** Until the list is read anew, it says what was saved and not what was there before. */
const showSaved = async (saved: Admin): Promise<void> => {
  await queryClient.cancelQueries({ queryKey: key });
  queryClient.setQueryData<EndpointResponse<typeof adminsHttp.list>>(
    key,
    (known) => known && { rows: known.rows.map((each) => (each.id === saved.id ? saved : each)) },
  );
};

/** Only what was changed here is sent: what somebody else changes meanwhile stays. */
export const RightsCard = ({ admin, isOwn, mayChange }: AdminCardProps) => {
  const words = useWords(adminsWords);
  const [draft, setDraft] = useState(emptyDraft);
  const change = useChange(adminsHttp.change, []);
  const { name = admin.name, role = admin.role } = draft;
  const serverGrants = grantsWith(admin.serverGrants, draft.grants);

  const save = () =>
    change.mutate(
      { params: { id: admin.id }, body: changeOf(draft, admin) },
      {
        onSuccess: async (saved) => {
          await showSaved(saved);
          setDraft((now) => afterSave(now, draft));
          notifyDone(words.saved(saved.name));
          if (isOwn) void askAccess();
        },
      },
    );
  return (
    <Card title={words.rights}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack maw="36rem">
          {isOwn && mayChange && (
            <Text size="sm" c="dimmed">
              {words.ownRights}
            </Text>
          )}
          <TextInput
            label={words.name}
            value={name}
            onChange={({ currentTarget }) => {
              const { value } = currentTarget;
              setDraft((before) => ({ ...before, name: value }));
            }}
            required
            maxLength={64}
            autoComplete="off"
            disabled={!mayChange}
          />
          <RightsFields
            value={{ role, serverGrants }}
            isReadOnly={!mayChange}
            onChange={(next) =>
              setDraft((before) => ({
                ...before,
                ...(next.role !== role && { role: next.role }),
                grants: grantChanges(admin.serverGrants, next.serverGrants),
              }))
            }
          />
          {change.error && <Trouble error={change.error} />}
          {mayChange && (
            <Group>
              <Button type="submit" loading={change.isPending} disabled={isEmptyDraft(draft)}>
                {words.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
};
