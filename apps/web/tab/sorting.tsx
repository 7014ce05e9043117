import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { horizontalListSortingStrategy, SortableContext, useSortable } from '@dnd-kit/sortable'
import type { Sorting } from './TabStrip.tsx'
import { moved } from './tabs.ts'

/** A tab moves only when it is dragged this far: a click stays a click. */
const DRAG_FROM_PX = 6

/** Announcements of a drag stand outside of the list of tabs, which holds nothing but tabs. */
const OUTSIDE = { container: document.body }

/** Loaded after the console is there: dragging is the last thing somebody does first. */
export const sorting: Sorting = {
  Strip: ({ tabs, onMove, children }) => {
    const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: DRAG_FROM_PX } }))
    return (
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={OUTSIDE}
        onDragEnd={({ active, over }) => over && active.id !== over.id && onMove(moved(tabs, String(active.id), String(over.id)))}
      >
        <SortableContext items={tabs.map((tab) => tab.path)} strategy={horizontalListSortingStrategy}>
          {children}
        </SortableContext>
      </DndContext>
    )
  },
  Box: ({ id, style, ref, ...rest }) => {
    const { setNodeRef, transform, transition, listeners, isDragging } = useSortable({ id })
    const place = transform ? `translateX(${Math.round(transform.x)}px)` : undefined
    const both = (node: HTMLDivElement | null) => {
      setNodeRef(node)
      if (typeof ref === 'function') ref(node)
      else if (ref) ref.current = node
    }
    return (
      <div
        {...rest}
        {...listeners}
        ref={both}
        style={{ ...style, ...(place && { transform: place, transition }), ...(isDragging && { zIndex: 1 }) }}
      />
    )
  },
}
