import { defineWords } from '#contracts/kernel/words.ts';

/** Help for the pages of the group "Activity". */
export const recordsHelp = defineWords(
  {
    events: {
      purpose:
        'What happened on your servers and in Castellan, the newest first and live: joins, crashes, purchases, warnings.',
      first: {
        title: 'Filter events',
        how: 'Choose kinds, a server, a person and days. The address keeps the filters, so you can share it.',
      },
      second: { title: 'See all of one event', how: 'Choose a row. Its details open beside the list.' },
      third: { title: 'Export events', how: 'Choose CSV or JSON. You get all rows that match the filters.' },
    },
    audit: {
      purpose:
        'Who did what, when and from where. No one can change or remove an entry, and secrets are hidden.',
      first: {
        title: 'See what a person did',
        how: 'Choose the person and the days. Each row describes one change.',
      },
      second: {
        title: 'Find who changed something',
        how: 'Filter by the action or the item, and open the row to see old and new.',
      },
      third: { title: 'Export the log', how: 'Choose CSV or JSON. You get all rows that match the filters.' },
    },
    logs: {
      purpose:
        'The logs of all components of Castellan, without going to the machine. Passwords and tokens in them are masked.',
      first: {
        title: 'Look for an error',
        how: 'Choose the component and type what you look for. The level limits the list to warnings or errors.',
      },
      second: {
        title: 'Watch it live',
        how: 'Stay at the newest line: more appear as they are written.',
      },
      third: {
        title: 'Send it to support',
        how: 'Download the log, or create a diagnostics bundle, which contains no secrets.',
      },
    },
    health: {
      purpose:
        'The state of each component: database, API, bot, Game Agents, queues and disk. A component that needs attention shows why and since when.',
      first: {
        title: 'Find the cause',
        how: 'Components that need attention come first, each with its cause and what to do.',
      },
      second: {
        title: 'Check the disk',
        how: 'Disk space shows how much is free and when Castellan would stop writing.',
      },
      third: {
        title: 'Monitor it from outside',
        how: 'Point Prometheus at the metrics, with an API key that can read them.',
      },
    },
    queues: {
      purpose:
        'Castellan’s background jobs, such as deliveries, changes of mods and e-mails. Most of the time there is nothing to do here.',
      first: {
        title: 'See what waits',
        how: 'Open a queue: it lists its jobs, whether waiting, running or failed. You can pause the queue there.',
      },
      second: {
        title: 'Retry a failed job',
        how: 'Open the job, read why it failed, fix that, and choose Retry now.',
      },
      third: {
        title: 'Cancel a job',
        how: 'Choose Cancel job while it is waiting. It does not come back automatically.',
      },
    },
  },
  {
    events: {
      purpose:
        'O que aconteceu nos servidores e no Castellan, do mais novo ao mais antigo e ao vivo: entradas, quedas, compras, avisos.',
      first: {
        title: 'Filtrar eventos',
        how: 'Escolha tipos, um servidor, uma pessoa e dias. O endereço guarda os filtros, e você pode compartilhá-lo.',
      },
      second: {
        title: 'Ver tudo de um evento',
        how: 'Escolha uma linha. Os detalhes abrem ao lado da lista.',
      },
      third: {
        title: 'Exportar eventos',
        how: 'Escolha CSV ou JSON. Você recebe todas as linhas que correspondem aos filtros.',
      },
    },
    audit: {
      purpose:
        'Quem fez o quê, quando e de onde. Ninguém pode alterar ou remover um registro, e segredos ficam ocultos.',
      first: {
        title: 'Ver o que uma pessoa fez',
        how: 'Escolha a pessoa e os dias. Cada linha descreve uma mudança.',
      },
      second: {
        title: 'Descobrir quem mudou algo',
        how: 'Filtre pela ação ou pelo item e abra a linha para ver o antes e o depois.',
      },
      third: {
        title: 'Exportar a auditoria',
        how: 'Escolha CSV ou JSON. Você recebe todas as linhas que correspondem aos filtros.',
      },
    },
    logs: {
      purpose:
        'Os logs de todos os componentes do Castellan, sem precisar ir até a máquina. Senhas e tokens neles ficam mascarados.',
      first: {
        title: 'Procurar um erro',
        how: 'Escolha o componente e digite o que procura. O nível limita a lista a avisos ou erros.',
      },
      second: {
        title: 'Acompanhar ao vivo',
        how: 'Fique na linha mais nova: outras aparecem quando são escritas.',
      },
      third: {
        title: 'Enviar ao suporte',
        how: 'Baixe o log ou crie um pacote de diagnóstico, que não contém segredos.',
      },
    },
    health: {
      purpose:
        'O estado de cada componente: banco de dados, API, bot, agentes de jogo, filas e disco. Um componente que precisa de atenção mostra por quê e desde quando.',
      first: {
        title: 'Encontrar a causa',
        how: 'Os componentes que precisam de atenção vêm primeiro, cada um com a causa e o que fazer.',
      },
      second: {
        title: 'Conferir o disco',
        how: 'O espaço em disco mostra quanto está livre e quando o Castellan pararia de gravar.',
      },
      third: {
        title: 'Monitorar de fora',
        how: 'Aponte o Prometheus para as métricas, com uma chave de API que possa lê-las.',
      },
    },
    queues: {
      purpose:
        'As tarefas do Castellan em segundo plano, como entregas, alterações de mods e e-mails. Na maior parte do tempo não há nada a fazer aqui.',
      first: {
        title: 'Ver o que espera',
        how: 'Abra uma fila: ela lista as tarefas, esperando, em andamento ou com falha. Dá para pausar a fila ali.',
      },
      second: {
        title: 'Repetir uma tarefa que falhou',
        how: 'Abra a tarefa, leia por que falhou, resolva isso e escolha Tentar de novo agora.',
      },
      third: {
        title: 'Cancelar uma tarefa',
        how: 'Escolha Cancelar tarefa enquanto ela espera. Ela não volta automaticamente.',
      },
    },
  },
);
