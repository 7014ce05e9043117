/**
 * antd's list of options takes Tab as Enter: in a choice of several it would take back what was chosen last, or add what merely lay under the mark.
 * There Tab only goes on, unless somebody typed what to choose and it is not chosen yet.
 */
export function keepChosenOnTab() {
  const listen = (event: KeyboardEvent) => {
    const { target } = event
    if (event.key === 'Tab' && target instanceof HTMLInputElement && target.closest('.ant-select-multiple') && !wants(target)) event.stopPropagation()
  }
  document.addEventListener('keydown', listen, true)
}

function wants(input: HTMLInputElement): boolean {
  const marked = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
  return input.value.trim() !== '' && marked?.getAttribute('aria-selected') !== 'true'
}
