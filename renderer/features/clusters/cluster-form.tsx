import { Text, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { type Cluster, clustersHttp } from '#contracts/clusters.ts';
import { ConflictNotice } from '../../design/conflict-notice.tsx';
import { designWords } from '../../design/design.words.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useWords } from '../../language/use-words.ts';
import { theirsOf } from '../../wire/api-problem.ts';
import { useChange } from '../../wire/queries.ts';
import { clustersWords } from './clusters.words.ts';

export interface ClusterFormProps {
  /** Absent: a new one is made. */
  readonly cluster?: Cluster;
  /** As the API has it now. */
  readonly newest?: Cluster | undefined;
  readonly onClose: () => void;
}

export const ClusterForm = ({ cluster, newest, onClose }: ClusterFormProps) => {
  const words = useWords(clustersWords);
  const general = useWords(designWords);
  const nameInput = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(cluster?.name ?? '');
  const [description, setDescription] = useState(cluster?.description ?? '');
  const [version, setVersion] = useState(cluster?.version ?? 0);
  const create = useChange(clustersHttp.create, [clustersHttp.list]);
  const change = useChange(clustersHttp.change, [clustersHttp.list]);
  const active = cluster ? change : create;
  const theirs = theirsOf(change.error, newest, version);

  const save = (over: number) => {
    if (!cluster) return create.mutate({ body: { name, description } }, { onSuccess: onClose });
    setVersion(over);
    const body = { version: over, name, description };
    change.mutate({ params: { id: cluster.id }, body }, { onSuccess: onClose });
  };
  const takeTheirs = (taken: Cluster) => {
    setName(taken.name);
    setDescription(taken.description);
    setVersion(taken.version);
    change.reset();
    // The button goes with the choice.
    nameInput.current?.focus();
  };

  return (
    <FormDialog
      title={cluster ? words.change : words.create}
      act={general.save}
      isActing={active.isPending}
      isReady={theirs === null}
      error={theirs ? null : active.error}
      onSubmit={() => save(version)}
      onClose={onClose}
    >
      <TextInput
        ref={nameInput}
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
      {theirs && (
        <ConflictNotice
          title={words.theirs}
          isSaving={change.isPending}
          onTakeTheirs={() => takeTheirs(theirs)}
          onKeepMine={() => save(theirs.version)}
        >
          <Text component="div">
            <bdi>{theirs.name}</bdi>
            <br />
            <bdi>{theirs.description || words.noDescription}</bdi>
          </Text>
        </ConflictNotice>
      )}
    </FormDialog>
  );
};
