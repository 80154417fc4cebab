import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { firstStepsWords } from './first-steps.words.ts';
import type { StepBodyProps } from './onboarding-status.ts';

export const ClusterStep = ({ status: { clusters } }: StepBodyProps) => {
  const { cluster: words, notAllowed } = useWords(firstStepsWords);
  const can = useCan();
  const [name, setName] = useState('');
  const create = useChange(clustersHttp.create, [clustersHttp.list]);
  const errorOf = useFieldErrors(create.error);
  if (clusters && clusters.length > 0)
    return (
      <Text>
        {words.have} <bdi>{clusters[0]?.name}</bdi>.{' '}
        <PanelLink to="/clusters" underline="always">
          {words.to}
        </PanelLink>
      </Text>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!create.isPending) create.mutate({ body: { name } });
      }}
    >
      <Stack gap="sm">
        <Text>{words.text}</Text>
        {can('servers.write') ? (
          <>
            <TextInput
              label={words.name}
              error={errorOf('name')}
              placeholder={words.example}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              required
              maxLength={80}
              maw="24rem"
            />
            {create.error && <Trouble error={create.error} />}
            <Group>
              <Button type="submit" loading={create.isPending}>
                {words.make}
              </Button>
            </Group>
          </>
        ) : (
          <Text>{notAllowed}</Text>
        )}
      </Stack>
    </form>
  );
};
