import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Admin, adminsHttp } from '#contracts/admins.ts';
import { askAccess } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { notifyDone } from '../../design/notify.ts';
import { Trouble } from '../../design/trouble.tsx';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { adminsWords } from './admins.words.ts';
import { RightsFields } from './rights-fields.tsx';

export interface AdminCardProps {
  readonly admin: Admin;
  readonly isOwn: boolean;
  readonly mayChange: boolean;
}

type Typed = Partial<Pick<Admin, 'name' | 'role' | 'serverGrants'>>;

/** Only what was changed here is sent: what somebody else changes meanwhile stays. */
export const RightsCard = ({ admin, isOwn, mayChange }: AdminCardProps) => {
  const words = useWords(adminsWords);
  const [typed, setTyped] = useState<Typed>({});
  const change = useChange(adminsHttp.change, [adminsHttp.list]);
  const { name, role, serverGrants } = { ...admin, ...typed };

  const save = () =>
    change.mutate(
      { params: { id: admin.id }, body: typed },
      {
        onSuccess: () => {
          setTyped({});
          notifyDone(words.saved(name));
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
              setTyped((before) => ({ ...before, name: value }));
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
              setTyped((before) => ({
                ...before,
                ...(next.role !== role && { role: next.role }),
                ...(next.serverGrants !== serverGrants && { serverGrants: [...next.serverGrants] }),
              }))
            }
          />
          {change.error && <Trouble error={change.error} />}
          {mayChange && (
            <Group>
              <Button type="submit" loading={change.isPending} disabled={Object.keys(typed).length === 0}>
                {words.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
};
