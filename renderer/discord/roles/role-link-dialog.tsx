import { MultiSelect, Select } from '@mantine/core';
import { useState } from 'react';
import {
  discordRolesHttp,
  type GivableRole,
  type NewRoleRule,
  type RoleRule,
  type RoleRuleKind,
  roleRuleKinds,
} from '#contracts/discord/discord-roles.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { OptionLines } from '../../kit/forms/option-lines.tsx';
import { reasonsWords } from '../../kit/language/reasons.words.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { roleLinksWords } from './role-links.words.ts';

interface Draft {
  readonly roleId: string | null;
  readonly kind: RoleRuleKind;
  readonly amount: number | '';
  readonly serverIds: string[];
}

const usualAmounts: Partial<Record<RoleRuleKind, number>> = { points: 1000, hours: 10 };

const ruleOf = (
  { roleId, kind, amount, serverIds }: Draft,
  roles: readonly GivableRole[],
): NewRoleRule | null => {
  const role = roles.find(({ id }) => id === roleId);
  if (!role) return null;
  const named = { roleId: role.id, roleName: role.name };
  switch (kind) {
    case 'linked':
    case 'bought':
      return { ...named, kind };
    case 'points':
    case 'hours':
      return amount === '' ? null : { ...named, kind, amount };
    case 'whitelist':
      return serverIds.length === 0 ? null : { ...named, kind, serverIds };
  }
};

export const RoleLinkDialog = (props: {
  readonly roles: readonly GivableRole[];
  readonly onMade: (rule: RoleRule) => void;
  readonly onClose: () => void;
}) => {
  const { roles: all, onMade, onClose } = props;
  // The role @everyone distinguishes no one.
  const roles = all.filter(({ obstacle }) => obstacle !== 'role-everyone');
  const words = useWords(roleLinksWords);
  const reasons = useWords(reasonsWords);
  const can = useCan();
  const create = useChange(discordRolesHttp.create, [discordRolesHttp.list]);
  const servers =
    useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.read') }).data?.rows ?? [];
  const [draft, setDraft] = useState<Draft>({ roleId: null, kind: 'linked', amount: '', serverIds: [] });
  const edit = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const { kind } = draft;
  // A role's holders are known, whether or not the bot could give it.
  const obstacles = new Map(roles.map(({ id, obstacle }) => [id, kind === 'whitelist' ? null : obstacle]));
  const isFit = draft.roleId !== null && obstacles.get(draft.roleId) === null;
  const rule = isFit ? ruleOf(draft, roles) : null;
  return (
    <FormDialog
      title={words.newTitle}
      act={words.create}
      isActing={create.isPending}
      isReady={rule !== null}
      error={create.error}
      note={words.later}
      onSubmit={() => rule && create.mutate({ body: rule }, { onSuccess: onMade })}
      onClose={onClose}
    >
      <Select
        label={words.kind}
        data={roleRuleKinds.map((value) => ({ value, label: words.kinds[value] }))}
        value={kind}
        onChange={(value) => {
          const chosen = value as RoleRuleKind;
          edit({ kind: chosen, amount: usualAmounts[chosen] ?? '' });
        }}
        allowDeselect={false}
        data-autofocus
        openOnFocus={false}
      />
      <Select
        label={words.role}
        required
        searchable
        data={roles.map(({ id, name }) => ({
          value: id,
          label: `@${name}`,
          disabled: obstacles.get(id) !== null,
        }))}
        renderOption={({ option }) => {
          const obstacle = obstacles.get(option.value);
          return <OptionLines name={option.label} note={obstacle && reasons[obstacle]} />;
        }}
        value={draft.roleId}
        onChange={(roleId) => edit({ roleId })}
        openOnFocus={false}
      />
      {(kind === 'points' || kind === 'hours') && (
        <NumberInput
          label={words[kind]}
          required
          min={1}
          max={1_000_000_000}
          allowDecimal={false}
          value={draft.amount}
          onChange={(amount) => edit({ amount: typeof amount === 'number' ? amount : '' })}
        />
      )}
      {kind === 'whitelist' && (
        <MultiSelect
          label={words.servers}
          required
          searchable
          data={servers
            .filter(({ game }) => games[game].hasWhitelist)
            .map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.serverIds}
          onChange={(serverIds) => edit({ serverIds })}
        />
      )}
    </FormDialog>
  );
};
