import { Button, Code, Group, Modal, MultiSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { apiKeyMaxDays, apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { type Permission, permissions } from '#contracts/identity/permissions.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { PermissionPicker } from '../access/permission-picker.tsx';
import { apiKeysWords } from './api-keys.words.ts';

/** A new key, shown only once, so it closes only when the person confirms having saved it. */
const ShownKey = ({ value, onClose }: { readonly value: string; readonly onClose: () => void }) => {
  const { shown: words } = useWords(apiKeysWords);
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{words.text}</Text>
        <TextInput
          label={words.key}
          value={value}
          readOnly
          ff="monospace"
          onFocus={({ currentTarget }) => currentTarget.select()}
          rightSection={<CopyButton value={value} label={words.copy} />}
          data-autofocus
        />
        <Text size="sm">{words.usage}</Text>
        <Code block>{'Authorization: Bearer cst_…'}</Code>
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
};

const ServerChoice = (props: {
  readonly value: readonly string[];
  readonly error: string | null;
  readonly onChange: (value: readonly string[]) => void;
}) => {
  const { value, error, onChange } = props;
  const words = useWords(apiKeysWords);
  const enabled = useCan().somewhere('servers.read');
  const servers = useRead(gameServersHttp.list, {}, { enabled }).data?.rows ?? [];
  return (
    <MultiSelect
      label={words.chooseServers}
      data={servers.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...value]}
      onChange={onChange}
      error={error}
      searchable
    />
  );
};

const usualDays = 90;
const dayMs = 86_400_000;

export const NewKey = ({ onClose }: { readonly onClose: () => void }) => {
  const words = useWords(apiKeysWords);
  const format = useFormat();
  const can = useCan();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Permission[]>([]);
  const [serverIds, setServerIds] = useState<readonly string[] | null>(null);
  const [days, setDays] = useState<number | string>(usualDays);
  const [isTried, setIsTried] = useState(false);
  const create = useChange(apiKeysHttp.create, [apiKeysHttp.list]);
  useReturnFocus();

  // For single servers it is enough to hold a permission there.
  const mayGive = (permission: Permission) =>
    can(permission) ||
    (permissions[permission].perServer &&
      serverIds !== null &&
      serverIds.length > 0 &&
      serverIds.every((id) => can(permission, id)));
  const given = chosen.filter(mayGive);
  const wholeDays = Math.trunc(Number(days));
  const isInTime = wholeDays >= 1 && wholeDays <= apiKeyMaxDays;
  const until = new Date(serverNowMs() + (isInTime ? wholeDays : 0) * dayMs).toISOString();

  const save = () => {
    setIsTried(true);
    if (given.length === 0 || serverIds?.length === 0 || !isInTime) return;
    create.mutate({
      body: {
        name,
        permissions: [...given],
        serverIds: serverIds && [...serverIds],
        expiresInDays: wholeDays,
      },
    });
  };

  if (create.data) return <ShownKey value={create.data.key} onClose={onClose} />;
  return (
    <FormDialog
      title={words.create}
      size="xl"
      act={words.makeKey}
      isActing={create.isPending}
      onSubmit={save}
      error={create.error}
      // If the page were left in between, no one would see the key: it is shown only once.
      staysWhileActing
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        description={words.nameAbout}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        maxLength={64}
        autoComplete="off"
        data-autofocus
      />
      <NumberInput
        label={words.expiresIn}
        description={
          isInTime ? words.expiresOn(format.date(until), apiKeyMaxDays) : words.atMost(apiKeyMaxDays)
        }
        error={isTried && !isInTime ? words.chooseDays(apiKeyMaxDays) : null}
        value={days}
        onChange={setDays}
        min={1}
        max={apiKeyMaxDays}
        allowDecimal={false}
        required
        maw="16rem"
      />
      <Radio.Group
        label={words.servers}
        description={words.serversAbout}
        value={serverIds === null ? 'all' : 'some'}
        onChange={(value) => setServerIds(value === 'all' ? null : [])}
      >
        <Group mt="xs">
          <Radio value="all" label={words.allServers} />
          <Radio value="some" label={words.someServers} />
        </Group>
      </Radio.Group>
      {serverIds !== null && (
        <ServerChoice
          value={serverIds}
          onChange={setServerIds}
          error={isTried && serverIds.length === 0 ? words.chooseSome : null}
        />
      )}
      <section aria-label={words.rights}>
        <Text fw={600} size="sm">
          {words.rights}
        </Text>
        <Text size="sm" c="dimmed" mb="xs">
          {words.rightsAbout}
        </Text>
        <PermissionPicker value={given} mayGive={mayGive} onChange={setChosen} />
      </section>
      <Text size="sm" c={isTried && given.length === 0 ? 'var(--tone-bad)' : 'dimmed'} role="status">
        {given.length === 0 ? words.chooseRights : words.rightsCount(given.length)}
      </Text>
    </FormDialog>
  );
};
