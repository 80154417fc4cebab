import { plural } from '#contracts/language.ts';
import { defineWords } from '../../language/define-words.ts';

export const clustersWords = defineWords(
  {
    title: 'Clusters',
    description: 'Servers of one community, each with its own map.',
    limit: (used: number, max: number) =>
      `${used} of ${plural.en(max, 'cluster', 'clusters')} that the license allows.`,
    name: 'Name',
    descriptionField: 'Description',
    servers: 'Servers',
    serverCount: (count: number) => plural.en(count, 'server', 'servers'),
    unknown: 'unknown',
    created: 'Made',
    state: 'State',
    inUse: 'In use',
    archived: 'Archived',
    all: 'With archived ones',
    create: 'New cluster',
    change: 'Change the cluster',
    archive: 'Archive',
    archiveMany: (count: number) =>
      `${plural.en(count, 'cluster goes', 'clusters go')} into the archive: the history stays readable, and all of it can be restored. Clusters with servers in use are left as they are.`,
    restore: 'Restore',
    theirs: 'Somebody has saved this meanwhile',
    noDescription: 'no description',
    empty: 'No cluster yet',
    emptyText: 'A cluster holds game servers. Make one to add your first server to it.',
  },
  {
    title: 'Clusters',
    description: 'Servidores de uma mesma comunidade, cada um com o seu mapa.',
    limit: (used: number, max: number) =>
      `${used} de ${plural.pt(max, 'cluster', 'clusters')} que a licença permite.`,
    name: 'Nome',
    descriptionField: 'Descrição',
    servers: 'Servidores',
    serverCount: (count: number) => plural.pt(count, 'servidor', 'servidores'),
    unknown: 'desconhecido',
    created: 'Criado',
    state: 'Estado',
    inUse: 'Em uso',
    archived: 'Arquivado',
    all: 'Com os arquivados',
    create: 'Novo cluster',
    change: 'Alterar o cluster',
    archive: 'Arquivar',
    archiveMany: (count: number) =>
      `${plural.pt(count, 'cluster vai', 'clusters vão')} para o arquivo: o histórico continua legível, e dá para restaurar. Clusters com servidores em uso ficam como estão.`,
    restore: 'Restaurar',
    theirs: 'Outra pessoa salvou este cluster antes de você',
    noDescription: 'sem descrição',
    empty: 'Nenhum cluster ainda',
    emptyText: 'Um cluster reúne servidores de jogo. Crie um para adicionar seu primeiro servidor.',
  },
);
