import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

const backupsEn = (count: number) => plural.en(count, 'backup', 'backups');
const backupsPt = (count: number) => plural.pt(count, 'backup', 'backups');
const daysEn = (count: number) => plural.en(count, 'day', 'days');
const daysPt = (count: number) => plural.pt(count, 'dia', 'dias');

export const scheduleWords = defineWords(
  {
    title: 'Backup schedule',
    edit: 'Edit schedule',
    save: 'Save',
    saved: 'Schedule saved',
    daily: (time: string) => `Every day around ${time}`,
    never: 'No automatic backups',
    keeps: (keep: number, days: number) =>
      `Keeps the newest ${backupsEn(keep)} and deletes those older than ${daysEn(days)}, but never the newest 3.`,
    short: (time: string, keep: number, days: number) =>
      `every day around ${time}, keeps ${backupsEn(keep)} for ${daysEn(days)}`,
    machines: 'the schedule of the game’s machine',
    byMachine: 'Set on the game’s machine.',
    byPanel: 'Set in the panel.',
    byPerson: (name: string) => `Set in the panel by ${name},`,
    waiting: (schedule: string) => `Waiting for the Game Agent: ${schedule}`,
    failed: (schedule: string) => `The Game Agent did not accept this: ${schedule}`,
    again: 'Castellan asks again as long as it stays set.',
    ended: 'The game’s machine no longer lets the panel schedule backups. Its own schedule applies.',
    endedWas: (schedule: string) =>
      `Until then: ${schedule}. This applies again as soon as the machine allows it.`,
    notAllowed: 'The game’s machine does not let the panel schedule backups.',
    allow: {
      linux: 'To allow it, run this on that machine as root. It applies within seconds:',
      windows:
        'To allow it, run this on that machine in a PowerShell opened with “Run as administrator”. It applies within seconds:',
    },
    copy: 'Copy command',
    end: 'End schedule',
    discard: 'Discard schedule',
    endQuestion: 'End the schedule of the panel?',
    endText: (keep: number, days: number) =>
      `What is set on the game’s machine applies then: at least ${backupsEn(keep)} for ${daysEn(days)}, and its own time, if it has one.`,
    ends: 'Schedule ended',
    deletes: (count: number) =>
      `The next backup deletes the ${plural.en(count, 'oldest backup', 'oldest backups')}.`,
    time: 'Time',
    timeHint: 'By the clock of the game’s machine. It begins up to 15 minutes later.',
    keep: 'Backups to keep',
    days: 'Days to keep backups',
    least: (count: string) => `The game’s machine keeps at least ${count}.`,
    room: (keep: number, bytes: string, free: string) =>
      `${backupsEn(keep)} of the last one’s size: ${bytes}. Free disk space: ${free}.`,
    raised: 'The game’s machine now keeps more than was set here, and that applies.',
    theirs: 'Someone else has changed the schedule',
  },
  {
    title: 'Agenda de backups',
    edit: 'Editar agenda',
    save: 'Salvar',
    saved: 'Agenda salva',
    daily: (time: string) => `Todos os dias por volta das ${time}`,
    never: 'Sem backups automáticos',
    keeps: (keep: number, days: number) =>
      `Guarda os ${backupsPt(keep)} mais novos e apaga os de mais de ${daysPt(days)}, mas nunca os 3 mais novos.`,
    short: (time: string, keep: number, days: number) =>
      `todos os dias por volta das ${time}, guarda ${backupsPt(keep)} por ${daysPt(days)}`,
    machines: 'a agenda da máquina do jogo',
    byMachine: 'Definida na máquina do jogo.',
    byPanel: 'Definida no painel.',
    byPerson: (name: string) => `Definida no painel por ${name},`,
    waiting: (schedule: string) => `Esperando o agente de jogo: ${schedule}`,
    failed: (schedule: string) => `O agente de jogo não aceitou isto: ${schedule}`,
    again: 'O Castellan pede de novo enquanto estiver definida.',
    ended: 'A máquina do jogo não deixa mais o painel agendar backups. Vale a agenda dela.',
    endedWas: (schedule: string) => `Até então: ${schedule}. Volta a valer assim que a máquina permitir.`,
    notAllowed: 'A máquina do jogo não deixa o painel agendar backups.',
    allow: {
      linux: 'Para permitir, execute isto nessa máquina como root. Vale em segundos:',
      windows:
        'Para permitir, execute isto nessa máquina em um PowerShell aberto com “Executar como administrador”. Vale em segundos:',
    },
    copy: 'Copiar comando',
    end: 'Encerrar agenda',
    discard: 'Descartar agenda',
    endQuestion: 'Encerrar a agenda do painel?',
    endText: (keep: number, days: number) =>
      `Passa a valer o que está definido na máquina do jogo: ao menos ${backupsPt(keep)} por ${daysPt(days)}, e o horário dela, se houver.`,
    ends: 'Agenda encerrada',
    deletes: (count: number) =>
      `O próximo backup apaga ${plural.pt(count, 'backup antigo', 'backups antigos')}.`,
    time: 'Horário',
    timeHint: 'Pelo relógio da máquina do jogo. Começa até 15 minutos depois.',
    keep: 'Backups a guardar',
    days: 'Dias a guardar',
    least: (count: string) => `A máquina do jogo guarda pelo menos ${count}.`,
    room: (keep: number, bytes: string, free: string) =>
      `${backupsPt(keep)} do tamanho do último: ${bytes}. Espaço livre no disco: ${free}.`,
    raised: 'A máquina do jogo agora guarda mais do que foi definido aqui, e é isso que vale.',
    theirs: 'Outra pessoa mudou a agenda',
  },
);
