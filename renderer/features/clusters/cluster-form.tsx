import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Cluster, clustersHttp } from '#contracts/clusters.ts';
import { designWords } from '../../design/design.words.ts';
import { Trouble } from '../../design/trouble.tsx';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { clustersWords } from './clusters.words.ts';

export interface ClusterFormProps {
  /** Absent: a new one is made. */
  readonly cluster?: Cluster;
  readonly onClose: () => void;
}

export const ClusterForm = ({ cluster, onClose }: ClusterFormProps) => {
  const words = useWords(clustersWords);
  const general = useWords(designWords);
  const [name, setName] = useState(cluster?.name ?? '');
  const [description, setDescription] = useState(cluster?.description ?? '');
  const create = useChange(clustersHttp.create, [clustersHttp.list]);
  const change = useChange(clustersHttp.change, [clustersHttp.list]);
  const active = cluster ? change : create;

  const save = () => {
    const done = { onSuccess: onClose };
    if (!cluster) return create.mutate({ body: { name, description } }, done);
    const { id, version } = cluster;
    change.mutate({ params: { id }, body: { version, name, description } }, done);
  };

  return (
    <Modal opened onClose={onClose} title={cluster ? words.change : words.create}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <TextInput
            label={words.name}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={80}
            data-autofocus
          />
          <Textarea
            label={words.descriptionField}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            maxLength={500}
            autosize
            minRows={2}
          />
          {active.error && <Trouble error={active.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={active.isPending}>
              {general.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
