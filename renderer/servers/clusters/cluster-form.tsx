import { Text, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { type Cluster, clustersHttp } from '#contracts/servers/clusters.ts';
import { useChange } from '../../kit/api/queries.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { VersionedDialog } from '../../kit/forms/versioned-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { clustersWords } from './clusters.words.ts';

interface ClusterFormProps {
  /** Absent: creates a new one. */
  readonly cluster?: Cluster;
  /** The current state in the API. */
  readonly newest?: Cluster | undefined;
  readonly onClose: () => void;
}

export const ClusterForm = ({ cluster, newest, onClose }: ClusterFormProps) => {
  const words = useWords(clustersWords);
  const general = useWords(designWords);
  const nameInput = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(cluster?.name ?? '');
  const [description, setDescription] = useState(cluster?.description ?? '');
  const create = useChange(clustersHttp.create, [clustersHttp.list]);
  const change = useChange(clustersHttp.change, [clustersHttp.list]);
  const errorOf = useFieldErrors(create.error ?? change.error);
  const form = useVersionedForm({
    version: cluster?.version ?? 0,
    newest,
    async send(version) {
      const body = { name, description };
      if (cluster) await change.mutateAsync({ params: { id: cluster.id }, body: { version, ...body } });
      else await create.mutateAsync({ body });
      onClose();
      return name;
    },
    show(theirs) {
      setName(theirs.name);
      setDescription(theirs.description);
      // The button disappears with the choice.
      nameInput.current?.focus();
    },
  });

  return (
    <VersionedDialog
      form={form}
      title={cluster ? words.change : words.create}
      act={general.save}
      conflictTitle={words.theirs}
      theirs={(theirs) => (
        <Text component="div">
          <bdi>{theirs.name}</bdi>
          <br />
          <bdi>{theirs.description || words.noDescription}</bdi>
        </Text>
      )}
      onClose={onClose}
    >
      <TextInput
        ref={nameInput}
        label={words.name}
        error={errorOf('name')}
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
    </VersionedDialog>
  );
};
