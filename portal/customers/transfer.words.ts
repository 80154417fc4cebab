import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const transferWords = defineWords(
  {
    title: 'Transfer HWID',
    newMachine: 'New machine',
    oldHwid: 'Old hardware ID (HWID)',
    none: 'None',
    requested: 'Requested hardware ID (HWID)',
    hwid: 'Hardware ID (HWID) of the new machine',
    hwidHint:
      'Paste it from the license wizard on the new machine. It begins with sha256: followed by 64 letters and digits.',
    hwidFault:
      'This is not a hardware ID (HWID): it must be sha256: followed by 64 digits and letters from a to f. Copy all of it from the license wizard.',
    submit: 'Transfer license',
    correct: 'Correct transfer',
    next: 'What happens next',
    steps: {
      mail: 'We send you a confirmation by e-mail.',
      activate:
        'You activate the license on the new machine with the same key. Until then, the old machine keeps working, and no other machine can be activated.',
      done: 'The activation completes the transfer. The old machine is rejected at its next check.',
    },
    pending: 'A transfer is already pending. You can change its hardware ID (HWID) for free.',
    free: (days: number) =>
      `A free transfer is available. It is used up once the new machine activates the license; the next one is free ${plural.en(days, 'day', 'days')} later.`,
    nextFree: (moment: string) => `Your next free transfer: ${moment}.`,
    extra: (count: number) =>
      `Your vendor has granted you ${plural.en(count, 'extra transfer', 'extra transfers')}, which you can use at any time.`,
    askVendor: 'If you can’t wait, ask your vendor for an extra one.',
    refusals: {
      suspended:
        'This license is suspended. Contact your vendor; you can transfer it once it is active again.',
      revoked:
        'This license is revoked and cannot be transferred. If this is a mistake, contact your vendor.',
      expired: 'This license has expired. Renew it first, then transfer it.',
      'not-bound':
        'This license is not bound to a machine, so there is nothing to transfer. Activate it on the machine you want.',
      'same-machine':
        'The license is already bound to this machine. Paste the hardware ID (HWID) shown on the new machine.',
      'pending-changed':
        'The transfer was changed in the meantime. Check it below, then try again if it is not what you want.',
    },
    tooSoon: (days: number, moment: string) =>
      `One transfer is free every ${plural.en(days, 'day', 'days')}. The next one is free on ${moment}. If you can’t wait, ask your vendor for an extra one.`,
  },
  {
    title: 'Transferir HWID',
    newMachine: 'Máquina nova',
    oldHwid: 'ID de hardware (HWID) antigo',
    none: 'Nenhum',
    requested: 'ID de hardware (HWID) solicitado',
    hwid: 'ID de hardware (HWID) da máquina nova',
    hwidHint:
      'Cole-o do assistente de licença da máquina nova. Ele começa com sha256: seguido de 64 letras e dígitos.',
    hwidFault:
      'Isto não é um ID de hardware (HWID): ele deve ser sha256: seguido de 64 dígitos e letras de a até f. Copie-o inteiro do assistente de licença.',
    submit: 'Transferir licença',
    correct: 'Corrigir transferência',
    next: 'O que acontece depois',
    steps: {
      mail: 'Enviamos uma confirmação por e-mail.',
      activate:
        'Você ativa a licença na máquina nova com a mesma chave. Até lá, a máquina antiga continua funcionando, e nenhuma outra pode ser ativada.',
      done: 'A ativação conclui a transferência. A máquina antiga é rejeitada na próxima verificação.',
    },
    pending: 'Já existe uma transferência pendente. Você pode trocar o ID de hardware (HWID) dela de graça.',
    free: (days: number) =>
      `Há uma transferência gratuita disponível. Ela só é usada quando a máquina nova ativa a licença; a próxima é gratuita ${plural.pt(days, 'dia', 'dias')} depois.`,
    nextFree: (moment: string) => `Sua próxima transferência gratuita: ${moment}.`,
    extra: (count: number) =>
      `Seu vendedor concedeu a você ${plural.pt(count, 'transferência extra', 'transferências extras')}, para usar quando quiser.`,
    askVendor: 'Se você não pode esperar, peça uma extra ao seu vendedor.',
    refusals: {
      suspended:
        'Esta licença está suspensa. Fale com o seu vendedor; você pode transferi-la assim que ela estiver ativa de novo.',
      revoked:
        'Esta licença foi revogada e não pode ser transferida. Se for um engano, fale com o seu vendedor.',
      expired: 'Esta licença expirou. Renove-a primeiro e depois a transfira.',
      'not-bound':
        'Esta licença não está vinculada a nenhuma máquina, então não há o que transferir. Ative-a na máquina desejada.',
      'same-machine':
        'A licença já está vinculada a esta máquina. Cole o ID de hardware (HWID) que a máquina nova mostra.',
      'pending-changed':
        'A transferência foi alterada nesse meio-tempo. Confira-a abaixo e tente de novo se não for o que você quer.',
    },
    tooSoon: (days: number, moment: string) =>
      `Uma transferência é gratuita a cada ${plural.pt(days, 'dia', 'dias')}. A próxima é gratuita em ${moment}. Se você não pode esperar, peça uma extra ao seu vendedor.`,
  },
);
